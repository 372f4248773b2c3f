import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { timesOf } from '../../testing/faults/kill-counts.ts';
import { fc } from '../../testing/random/property.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { lengthOf, replaced, samples, sizeOf } from '../../testing/services/webhook-samples.ts';
import { contentOf, deliveryOf } from '../../testing/services/webhooks.ts';
import { INTEGRATIONS } from './all-integrations.ts';

/** Values that no service sends at most of its paths. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '\u0000\ud800',
  'x'.repeat(100_000),
  '`'.repeat(5000),
  '@**all** '.repeat(5000),
  'https://example.com/'.repeat(500),
  'https://[',
  '9999-99-99T99:99:99Z',
  '__proto__',
  [],
  [null],
  {},
  { __proto__: null, toString: 1, length: -1 },
  Array.from({ length: 2000 }, () => ({ a: 'b' })),
  Array.from({ length: 2000 }, () => 'x'.repeat(50)),
  JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`),
];

// rules: webhooks-7, webhooks-8
test('each value of each recorded payload can be anything: the message is bounded, or the request is refused', async () => {
  // Each place gets other values than its neighbors, so every kind of place meets all of them.
  const count = timesOf({ gate: 5, long: STRANGE.length });
  let next = 0;
  for (const sample of await samples()) {
    const size = sizeOf(sample.payload);
    for (let place = 0; place < size; place++) {
      for (let tried = 0; tried < count; tried++) {
        const by = STRANGE[next++ % STRANGE.length];
        const length = lengthOf(sample, replaced(sample.payload, place, by));
        assert(
          length < 60_000,
          `${sample.integration.name} ${sample.request.name}, value ${place}: ${length} characters`,
        );
      }
      lengthOf(sample, replaced(sample.payload, place, undefined));
    }
  }
});

// rules: webhooks-7, webhooks-8
test('several values of a payload can be anything at the same time', async () => {
  const all = await samples();
  const change = fc.record({ place: fc.nat(200), by: fc.option(fc.constantFrom(...STRANGE), { nil: undefined }) });
  fc.assert(
    fc.property(fc.nat(all.length - 1), fc.array(change, { minLength: 1, maxLength: 8 }), (which, changes) => {
      const sample = all[which] ?? assert.fail();
      let payload = sample.payload;
      for (const { place, by } of changes) payload = replaced(payload, place % Math.max(1, sizeOf(payload)), by);
      assert(lengthOf(sample, payload) < 60_000);
    }),
    { numRuns: 3000 },
  );
});

// rules: webhooks-1
test('a JSON payload is shown as far as a message shows it', () => {
  const shown = (payload: unknown) => {
    const integration = INTEGRATIONS.find(({ name }) => name === 'json') ?? assert.fail();
    return contentOf(integration, deliveryOf({ headers: {}, body: '{}' }, {}, payload)) ?? '';
  };
  const cut = (text: string) => `${text.slice(0, 2999)}…`;
  const fenced = (text: string) => `\`\`\`json\n${text.length > 3000 ? cut(text) : text}\n\`\`\``;
  const chain = JSON.parse(`${'{"a":['.repeat(200)}1${']}'.repeat(200)}`);
  const long = Array.from({ length: 5000 }, (_, n) => ({ n, text: [null, true, {}] }));
  for (const payload of [{ a: [1, { b: null }], __proto__: 1 }, [], 'text', 1, null, chain, long, Array(4000).fill(0)])
    assert.equal(shown(payload), fenced(JSON.stringify(payload, null, 2)));
});

let server: TestServer;
let member: TestClient;
let bot: Json;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_RATE_LIMITS: 'off' } });
  member = await server.user();
  await server.emptyChannel(member, 'alerts');
  bot = await member.ok('POST', '/bots', { full_name: 'Hooks', short_name: 'hooks', bot_type: 2 });
});
after(() => server.stop());

// rules: webhooks-7
test('the server accepts or refuses mutated requests, and never fails', async () => {
  const all = await samples();
  const statuses = new Set<number>();
  for (let n = 0; n < 250; n++) {
    const { integration, request, payload } = all[(n * 7) % all.length] ?? assert.fail();
    const by = STRANGE[(n * 5) % STRANGE.length];
    const query = new URLSearchParams({ api_key: bot.api_key, stream: 'alerts' });
    const response = await fetch(`${server.url}/api/v1/external/${integration.name}?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...request.headers },
      body: JSON.stringify(replaced(payload, (n * 13) % sizeOf(payload), by)) ?? 'undefined',
    });
    const text = await response.text();
    assert(response.status === 200 || response.status === 400, `${integration.name} ${request.name}: ${text}`);
    statuses.add(response.status);
  }
  assert.deepEqual(statuses, new Set([200, 400]));
});
