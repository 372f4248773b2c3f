import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { fc } from '../../testing/random/property.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { deliveryOf, type Recorded, recordedOf } from '../../testing/services/webhooks.ts';
import { INTEGRATIONS } from './all-integrations.ts';
import type { Integration } from './integration.ts';

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

/** The number of values in a payload. */
function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, item) => sum + sizeOf(item), 1)
    : 1;
}

/** The payload with the value at one of its places replaced, or removed if it is undefined. */
function replaced(value: unknown, place: number, by: unknown): unknown {
  let at = 0;
  const walk = (item: unknown): unknown => {
    if (at++ === place) return by;
    if (Array.isArray(item)) return item.map(walk);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(
      Object.entries(item).flatMap(([name, one]) => {
        const next = walk(one);
        return next === undefined ? [] : [[name, next]];
      }),
    );
  };
  return walk(value);
}

interface Sample {
  readonly integration: Integration;
  readonly request: Recorded;
  readonly payload: unknown;
}

async function samples(): Promise<readonly Sample[]> {
  const all = INTEGRATIONS.map(async (integration) =>
    (await recordedOf(integration.name)).map((request) => ({
      integration,
      request,
      payload: JSON.parse(request.body),
    })),
  );
  return (await Promise.all(all)).flat();
}

/** The length of the message; 0 if there is none, or if the request is refused with status 400. */
function lengthOf({ integration, request }: Sample, payload: unknown): number {
  try {
    const rendered = integration.render(deliveryOf(request, {}, payload));
    if (rendered === undefined) return 0;
    return rendered.content.toString().length;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return 0;
    throw error;
  }
}

// rules: webhooks-7, webhooks-8
test('every value of every recorded payload can be anything: the message is bounded, or the request is refused', async () => {
  for (const sample of await samples()) {
    const size = sizeOf(sample.payload);
    for (let place = 0; place < size; place++) {
      for (const by of STRANGE) {
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

/** Processor time of one request. The real ones take less than 10 ms. */
const MAX_MILLISECONDS = 300;

function checkTime(name: string, sample: Sample, payload: unknown): void {
  const before = process.threadCpuUsage();
  lengthOf(sample, payload);
  const { user } = process.threadCpuUsage(before);
  assert(user / 1000 < MAX_MILLISECONDS, `${name}: ${user / 1000} ms`);
}

// rules: webhooks-8
test('no long text of a payload holds the event loop', async () => {
  for (const sample of await samples()) {
    const { integration, request, payload } = sample;
    for (let place = 0; place < sizeOf(payload); place++) {
      for (const piece of [' ', '<']) {
        const text = `${piece.repeat(50_000)}\n`;
        checkTime(`${integration.name} ${request.name}, value ${place}`, sample, replaced(payload, place, text));
      }
    }
  }
});

// rules: webhooks-8
test('no structure of a payload holds the event loop', async () => {
  const sampleOf = async (name: string) =>
    (await samples()).find(({ integration }) => integration.name === name) ?? assert.fail();
  const spaced = { type: 'mrkdwn', text: `a${' '.repeat(7998)}b` };
  const blocks = [{ type: 'section', fields: Array.from({ length: 20 }, () => spaced) }];
  const attachments = Array.from({ length: 10 }, () => ({ blocks }));
  checkTime('spaces in fields', await sampleOf('slack_incoming'), { text: 'x', blocks, attachments });
  const [depth, length] = [2000, 100_000];
  const list = JSON.parse(`${'['.repeat(depth)}${'1,'.repeat(length)}1${']'.repeat(depth)}`);
  checkTime('a list deep inside', await sampleOf('json'), list);
});

// rules: webhooks-1
test('a JSON payload is shown as far as a message shows it', () => {
  const shown = (payload: unknown) => {
    const integration = INTEGRATIONS.find(({ name }) => name === 'json') ?? assert.fail();
    return integration.render(deliveryOf({ headers: {}, body: '{}' }, {}, payload))?.content.toString() ?? '';
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
