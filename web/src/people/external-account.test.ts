import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountUrl, safeUrl } from './external-account.ts';

const SERVICES = { github: { url_pattern: 'https://github.com/%(username)s' } };

test('an external account leads to the page of the user at the service', () => {
  assert.equal(accountUrl({ subtype: 'github' }, SERVICES, 'ada'), 'https://github.com/ada');
  const own = { subtype: 'custom', url_pattern: 'https://forge.example/u/%(username)s' };
  assert.equal(accountUrl(own, SERVICES, 'a/../b?c'), 'https://forge.example/u/a%2F..%2Fb%3Fc');
  assert.equal(accountUrl({ subtype: 'unknown' }, SERVICES, 'ada'), undefined);
});

test('a profile links to web addresses only', () => {
  assert.equal(safeUrl('https://example.com/ada'), 'https://example.com/ada');
  for (const text of ['javascript:alert(1)', 'data:text/html,x', ' JaVaScRiPt:1', 'example.com', '//x', '']) {
    assert.equal(safeUrl(text), undefined, text);
  }
});
