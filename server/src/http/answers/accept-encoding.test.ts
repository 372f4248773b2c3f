import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedCodings } from './accept-encoding.ts';

const cases: readonly (readonly [header: string | undefined, coding: string | undefined, acceptsIdentity: boolean])[] =
  [
    [undefined, undefined, true],
    ['', undefined, true],
    ['identity', undefined, true],
    ['gzip', 'gzip', true],
    ['GZIP', 'gzip', true],
    ['deflate, compress', undefined, true],
    ['gzip, deflate, br', 'br', true],
    ['gzip, deflate, br, zstd', 'zstd', true],
    ['zstd;q=0.2, br;q=0.5, gzip;q=0.9', 'gzip', true],
    ['gzip;q=0.001', 'gzip', true],
    ['gzip;q=0', undefined, true],
    ['gzip;q=0.5, identity', undefined, true],
    ['gzip;q=nonsense', undefined, true],
    ['*', 'zstd', true],
    ['zstd;q=0, *', 'br', true],
    ['*;q=0, gzip', 'gzip', false],
    ['identity;q=0, br', 'br', false],
    // No allowed coding exists: an uncompressed response serves the client better than an error.
    ['*;q=0', undefined, true],
    ['identity;q=0, deflate', undefined, true],
  ];

for (const [header, coding, acceptsIdentity] of cases) {
  test(`Accept-Encoding ${JSON.stringify(header)} gets ${coding ?? 'an uncompressed response'}`, () => {
    const accepted = acceptedCodings(header);
    assert.deepEqual([accepted.coding, accepted.acceptsIdentity], [coding, acceptsIdentity]);
  });
}

test('of the codings whose pieces can be joined, a client gets the one that it prefers', () => {
  const joined = (header: string) => acceptedCodings(header, 'browser').joinedCoding;
  assert.equal(joined('gzip, deflate, br, zstd'), 'zstd');
  assert.equal(joined('gzip, deflate, br'), 'gzip');
  assert.equal(joined('zstd;q=0.2, br, gzip;q=0.5'), 'gzip');
  assert.equal(joined('br'), undefined);
  assert.equal(joined('gzip;q=0, br'), undefined);
  assert.equal(joined('identity'), undefined);
});

test('only browsers get joined pieces with zstd: some other clients fail at the end of a frame', () => {
  const joined = (header: string) => acceptedCodings(header).joinedCoding;
  assert.equal(joined('gzip, deflate, br, zstd'), 'gzip');
  assert.equal(joined('zstd;q=1, gzip;q=0.5'), 'gzip');
  assert.equal(joined('zstd'), undefined);
  assert.equal(acceptedCodings('gzip, deflate, br, zstd').coding, 'zstd');
});
