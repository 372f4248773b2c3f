import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSample } from '../../testing/server/sample-server.ts';

const cases: readonly (readonly [trusted: boolean | number | readonly string[], status: number])[] = [
  [false, 200],
  [0, 200],
  [['10.0.0.0/8'], 200],
  [true, 404],
  [1, 404],
  [['127.0.0.1'], 404],
];

for (const [trusted, status] of cases) {
  const word = status === 404 ? 'counts' : 'does not count';
  test(`the forwarded host ${word} if the trusted proxies are ${JSON.stringify(trusted)}`, async (t) => {
    const sample = await startSample('off', trusted);
    t.after(() => sample.server.stop(1000));
    const response = await fetch(`${sample.base}/raw`, { headers: { 'x-forwarded-host': 'nowhere.example.com' } });
    assert.equal(response.status, status);
  });
}
