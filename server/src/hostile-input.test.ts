/**
 * No request of a client causes a 500 (interface, "Rules that hold for every endpoint"). Every endpoint of the contract
 * gets values that its schemas accept, with some replaced by hostile ones. The test server also responds with 500 if a
 * response violates the contract.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import { type Endpoint, fullPathOf, pathParameterNames } from '@heddle/api/contract.ts';
import { isSchemaList, type JsonSchema, jsonSchemaOf } from '@heddle/api/json-schema.ts';
import { Role } from './directory/records.ts';
import type { TestClient } from './testing/clients/client.ts';
import { fillPath } from './testing/clients/endpoints.ts';
import { fc } from './testing/random/property.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';

let server: TestServer;
let callers: readonly TestClient[];
/** Existing strings and integers, so that requests pass the first check. */
let meaningful: { readonly strings: readonly string[]; readonly integers: readonly number[] };

before(async () => {
  // An empty poll is held for one second only.
  server = await startTestServer({ environment: { HEDDLE_HEARTBEAT_SECONDS: '1', HEDDLE_LOG_LEVEL: 'silent' } });
  const { owner } = server;
  const member = await server.user();
  const guest = await server.user({ role: Role.guest });
  callers = [owner, member, guest];
  const cellar = await owner.ok('POST', '/channels/create', { name: 'cellar', subscribers: [], invite_only: true });
  const messages = [await owner.send('general', 'warp', 'one'), await owner.direct([member.userId], 'two')];
  const queue = await owner.register();
  meaningful = {
    strings: [
      queue.id,
      'general',
      'cellar',
      'sandbox',
      'warp',
      '',
      owner.email,
      member.email,
      'color',
      'is_muted',
      '#c2c2c2',
      'read',
      'starred',
      'message',
      'newest',
      'channel',
      'topic',
      'dm',
      'is',
      'unread',
      'sender',
      'id',
      'near',
    ],
    integers: [0, 1, 2, 3, cellar.id, ...messages, owner.userId, member.userId, guest.userId],
  };
});
after(() => server.stop());

const edgeIntegers = [-1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 10_000_000_000_000_000, -(2 ** 53) + 1];
const edgeStrings = [
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  '\u202e',
  '💥'.repeat(200),
  "'; --",
  '%',
  '\\',
  '\n',
  ' ',
];

/** Values that the schema accepts. Ignores patterns and limits, so a few may be invalid. */
function valid(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
  switch (schema.type) {
    case 'integer':
    case 'number':
      return fc.oneof(
        { weight: 4, arbitrary: fc.nat({ max: 1000 }).map((n) => meaningful.integers[n % meaningful.integers.length]) },
        { weight: 1, arbitrary: fc.constantFrom(...edgeIntegers) },
      );
    case 'string':
      return fc.oneof(
        { weight: 4, arbitrary: fc.nat({ max: 1000 }).map((n) => meaningful.strings[n % meaningful.strings.length]) },
        {
          weight: 1,
          arbitrary: fc.oneof(fc.constantFrom(...edgeStrings), fc.string({ unit: 'binary', maxLength: 80 })),
        },
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return validArray(schema);
    case 'object':
      return validObject(schema);
    default:
      return fc.jsonValue();
  }
}

function validArray({ items, minItems = 0, maxItems = 4 }: JsonSchema): fc.Arbitrary<unknown> {
  if (isSchemaList(items)) return fc.tuple(...items.map(valid));
  const item = typeof items === 'object' ? valid(items) : fc.jsonValue();
  return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) });
}

function validObject({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const model = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valid(inner)]));
  return fc.record(model, { requiredKeys: [...required] });
}

const deep = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);

/** Values outside of every schema, as the text that is sent. */
const hostile: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', ' ', 'null', 'true', '[]', '{}', '[null]', '[[]]', '[{}]', '""', '-', '"', '[', '{"', 'NaN', 'Infinity'],
    ...['-0', '1e400', '1.5', '0x10', '00', '9'.repeat(400), '9007199254740993', '-9223372036854775809', '2147483648'],
    ...['\u0000', '"\\u0000"', '["\\u0000"]', '"\\ud800"', '[{"name":"\\udfff"}]', '\ud800', '\ufffd', '\u{10ffff}'],
    ...['{"__proto__":{"a":1}}', '[{"__proto__":null,"name":"x"}]', '{"constructor":{"prototype":{}}}', '__proto__'],
    ...[
      '[{"name":["x"]}]',
      '[{"name":{}}]',
      '[1,"2"]',
      '["a",1]',
      '[true]',
      '{"length":1}',
      '[1e300]',
      '[-1]',
      '[0.5]',
    ],
    ...[deep('[', ']'), deep('{"a":', '}'), `[${'[],'.repeat(9999)}[]]`],
    'x'.repeat(300_000),
    `[${Array.from({ length: 10_000 }, (_, index) => index + 1_000_000)}]`,
    `[${new Array(10_000).fill('{"name":"general"}')}]`,
    JSON.stringify(new Array(10_000).fill('general')),
    JSON.stringify(new Array(2_000).fill(['is', 'unread'])),
    JSON.stringify(new Array(2_000).fill({ operator: 'id', operand: 1, negated: true })),
  ),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.json({ maxDepth: 4 }),
  fc.json({ maxDepth: 4, stringUnit: 'binary' }),
);

const oneOf = (items: () => readonly unknown[]) => fc.nat({ max: 10_000 }).map((n) => items()[n % items().length]);

const channelNames = ['general', 'cellar', 'sandbox'];
const operators = [
  'channel',
  'stream',
  'topic',
  'dm',
  'pm-with',
  'dm-including',
  'sender',
  'id',
  'near',
  'is',
  'search',
  'has',
];
const operands = [
  'unread',
  'starred',
  'mentioned',
  'dm',
  'resolved',
  'followed',
  'me',
  ...channelNames,
  '',
  ...edgeStrings,
];
const operand = fc.oneof(
  fc.constantFrom(...operands),
  fc.constantFrom<unknown>(...edgeIntegers),
  oneOf(() => meaningful.integers),
);
const term = fc.oneof(
  fc.record(
    { operator: fc.constantFrom(...operators), operand, negated: fc.boolean() },
    { requiredKeys: ['operator', 'operand'] },
  ),
  fc.tuple(fc.constantFrom(...operators), operand.map(String)),
);

/** Better values for some parameters, by name. Values from the schema alone would rarely pass the first check. */
const likely: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  anchor: fc.constantFrom<unknown>('newest', 'oldest', 'first_unread', 0, 1, '1', ...edgeIntegers),
  num_before: fc.nat({ max: 20 }),
  num_after: fc.nat({ max: 20 }),
  narrow: fc.array(term, { maxLength: 3 }),
  queue_id: oneOf(() => meaningful.strings.slice(0, 1)),
  last_event_id: fc.constantFrom<unknown>(-1, 0, 1, 5, ...edgeIntegers),
  email: oneOf(() => callers.map(({ email }) => email)),
  username: oneOf(() => callers.map(({ email }) => email)),
  stream: fc.constantFrom(...channelNames),
  flag: fc.constantFrom('read', 'starred', 'collapsed', 'mentioned', 'nonsense'),
  name: fc.string({ unit: 'binary', minLength: 1, maxLength: 70 }),
  content: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('@**all** @**topic** #**general>x** $$x$$ ```', '/me x'),
  ),
  subscription_data: fc.array(
    fc.record({
      stream_id: oneOf(() => meaningful.integers),
      property: fc.constantFrom(
        'color',
        'is_muted',
        'in_home_view',
        'pin_to_top',
        'push_notifications',
        '__proto__',
        '',
      ),
      value: fc.oneof(fc.boolean(), fc.constantFrom('#c2c2c2', '#fff', ...edgeStrings)),
    }),
    { maxLength: 3 },
  ),
};

/** Optional in the contract, but requests without them are of little use. */
const usuallySent = new Set(['anchor', 'num_before', 'num_after', 'narrow', 'topic', 'stream_id']);

interface Request {
  readonly caller: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Valid values except one, so that the hostile value reaches every check that the others pass. */
function requestsTo(endpoint: Endpoint): fc.Arbitrary<Request> {
  const inPath = new Set(pathParameterNames(endpoint.path));
  const entries = Object.entries(endpoint.parameters);
  const good = entries.map(([name, { schema, presence }]) => {
    const value = fc.oneof(
      { weight: likely[name] ? 3 : 0, arbitrary: likely[name] ?? fc.constant('') },
      { weight: 1, arbitrary: valid(jsonSchemaOf(schema)) },
    );
    // Clients leave out most optional parameters.
    if (presence === 'required' || presence === 'path' || usuallySent.has(name)) return value;
    return fc.oneof({ weight: 1, arbitrary: value }, { weight: 8, arbitrary: fc.constant(undefined) });
  });
  return fc
    .record({
      caller: fc.nat({ max: 2 }),
      values: fc.tuple(...good),
      place: fc.nat(),
      text: fc.option(hostile, { freq: 2 }),
    })
    .map(({ caller, values, place, text }) => {
      const fields = Object.fromEntries(entries.map(([name], index) => [name, values[index]]));
      const [name] = entries[place % Math.max(1, entries.length)] ?? [];
      if (name !== undefined && text !== null) fields[name] = inPath.has(name) ? text.slice(0, 500) : text;
      return { caller, fields };
    });
}

function runsOf({ operationId, parameters }: Endpoint): number {
  if (Object.keys(parameters).length === 0) return 1;
  // Each of these requests checks a password, which is deliberately slow.
  return operationId === 'fetch-api-key' ? 20 : 80;
}

/** Node refuses a longer query before it reaches the server's code. */
const maxQueryLength = 30_000;

// Endpoints that delete a queue come last.
const endpoints = (await allEndpoints()).toSorted(
  (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
);
for (const endpoint of endpoints) {
  // rules: errors-3
  test(`${endpoint.method} ${endpoint.path}: no input causes a 500`, async () => {
    const runs = runsOf(endpoint);
    await fc.assert(
      fc.asyncProperty(requestsTo(endpoint), async ({ caller, fields }) => {
        const client = callers[caller];
        assert(client !== undefined);
        const { path, rest } = fillPath({ ...endpoint, path: fullPathOf(endpoint) as Endpoint['path'] }, fields);
        if (endpoint.method === 'GET' || endpoint.method === 'HEAD') {
          fc.pre(encodeURIComponent(JSON.stringify(rest)).length < maxQueryLength);
        }
        const { status, text } = await client.ask(endpoint.method, path, rest);
        assert(status < 500, `status ${status} ${text.slice(0, 500)}`);
      }),
      { numRuns: runs, endOnFailure: true, maxSkipsPerRun: 100 },
    );
  });
}

test('after all these requests the server still serves', async () => {
  // A new organization, because the requests may have archived the channels of the first.
  const owner = await server.organization('after');
  await owner.send('general', 'warp', 'still here');
  // A new user, because the callers may have deactivated each other.
  const newcomer = await server.user();
  assert.equal((await newcomer.ok('GET', '/users/me')).user_id, newcomer.userId);
});
