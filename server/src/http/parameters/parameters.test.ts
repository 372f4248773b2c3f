import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaulted, defineEndpoint, inPath, optional, type Parameter, required } from '@heddle/api/contract.ts';
import { ApiError } from '@heddle/api/errors.ts';
import Type from 'typebox';
import { fieldsOf } from '../bodies/url-encoded.ts';
import { compileParameters, type DecodedParameters } from './parameters.ts';

const recipient = Type.Union([Type.String(), Type.Integer(), Type.Array(Type.String()), Type.Array(Type.Integer())]);
const messageType = Type.Union(['direct', 'channel', 'stream', 'private'].map((type) => Type.Literal(type)));
const anchor = Type.Union([
  Type.Literal('newest'),
  Type.Literal('oldest'),
  Type.Literal('first_unread'),
  Type.Integer(),
]);
const subscriptions = Type.Array(
  Type.Object({ name: Type.String({ minLength: 1 }), description: Type.Optional(Type.String()) }),
);
const groupSetting = Type.Union([
  Type.Integer(),
  Type.Object({ direct_members: Type.Array(Type.Integer()), direct_subgroups: Type.Array(Type.Integer()) }),
]);
const narrow = Type.Array(
  Type.Union([
    Type.Tuple([Type.String(), Type.String()]),
    Type.Object({ operator: Type.String(), operand: Type.Unknown(), negated: Type.Optional(Type.Boolean()) }),
  ]),
);

function decodeOne(parameter: Parameter, text: string): unknown {
  const endpoint = defineEndpoint({
    operationId: 'sample',
    method: 'POST',
    path: '/sample',
    area: 'samples',
    summary: 'A sample',
    authentication: 'none',
    parameters: { p: parameter },
    response: Type.Object({}),
    errors: [],
  });
  return compileParameters(endpoint)({}, {}, fieldsOf(`p=${encodeURIComponent(text)}`)).values.p;
}

const accepted: readonly (readonly [kind: string, schema: Parameter, text: string, value: unknown])[] = [
  ['a string', required(Type.String()), 'hello', 'hello'],
  ['a string', required(Type.String()), '', ''],
  ['a string', required(Type.String()), '"quoted"', '"quoted"'],
  ['a string', required(Type.String()), '5', '5'],
  ['a string', required(Type.String()), 'null', 'null'],
  ['a string', required(Type.String()), '[1]', '[1]'],
  ['an optional string', optional(Type.String()), 'null', 'null'],
  ['a string', required(Type.String()), 'a b+c&d=e%ü🧶', 'a b+c&d=e%ü🧶'],
  ['an integer', required(Type.Integer()), '0', 0],
  ['an integer', required(Type.Integer()), '-12', -12],
  ['an integer', required(Type.Integer()), ' 7 ', 7],
  ['an integer', required(Type.Integer()), '9007199254740991', Number.MAX_SAFE_INTEGER],
  ['a number', required(Type.Number()), '1.5', 1.5],
  ['a number', required(Type.Number()), '3', 3],
  ['a boolean', required(Type.Boolean()), 'true', true],
  ['a boolean', required(Type.Boolean()), 'false', false],
  ['a nullable integer', required(Type.Union([Type.Integer(), Type.Null()])), 'null', null],
  ['a nullable integer', required(Type.Union([Type.Integer(), Type.Null()])), '3', 3],
  ['an optional nullable integer', optional(Type.Union([Type.Integer(), Type.Null()])), 'null', null],
  ['a nullable string', required(Type.Union([Type.String(), Type.Null()])), 'null', null],
  ['a nullable string', required(Type.Union([Type.String(), Type.Null()])), 'name', 'name'],
  ['an optional list', optional(Type.Array(Type.String())), 'null', undefined],
  ['a defaulted integer', defaulted(Type.Integer(), 4), 'null', 4],
  ['a choice', required(messageType), 'direct', 'direct'],
  ['a choice', required(messageType), '"private"', 'private'],
  ['an enum', required(Type.Enum(['a', 'b'])), 'b', 'b'],
  ['a recipient', required(recipient), 'general', 'general'],
  ['a recipient', required(recipient), 'design & art', 'design & art'],
  ['a recipient', required(recipient), '"general"', 'general'],
  ['a recipient', required(recipient), '"5"', '5'],
  ['a recipient', required(recipient), '"unfinished', '"unfinished'],
  ['a recipient', required(recipient), '5', 5],
  ['a recipient', required(recipient), '5th floor', '5th floor'],
  ['a recipient', required(recipient), '1.5', '1.5'],
  ['a recipient', required(recipient), '1e3', 1000],
  ['a recipient', required(recipient), '99999999999999999999', '99999999999999999999'],
  ['a recipient', required(recipient), '[]', []],
  ['a recipient', required(recipient), '[5]', [5]],
  ['a recipient', required(recipient), '[5, 6]', [5, 6]],
  ['a recipient', required(recipient), '["a@example.com"]', ['a@example.com']],
  ['a recipient', required(recipient), 'a@example.com', 'a@example.com'],
  ['a recipient', required(recipient), 'a@example.com, b@example.com', 'a@example.com, b@example.com'],
  ['a recipient', required(recipient), 'true', 'true'],
  ['a recipient', required(recipient), 'null', 'null'],
  ['a recipient', required(recipient), '[announcements', '[announcements'],
  ['an anchor', required(anchor), 'newest', 'newest'],
  ['an anchor', required(anchor), '"oldest"', 'oldest'],
  ['an anchor', required(anchor), '17', 17],
  ['a flag or a word', required(Type.Union([Type.Boolean(), Type.Literal('partial')])), 'partial', 'partial'],
  ['a flag or a word', required(Type.Union([Type.Boolean(), Type.Literal('partial')])), 'true', true],
  ['a list', required(Type.Array(Type.Integer())), '[1,2]', [1, 2]],
  [
    'a list of objects',
    required(subscriptions),
    '[{"name":"a"},{"name":"b","description":""}]',
    [{ name: 'a' }, { name: 'b', description: '' }],
  ],
  ['a list of objects', required(subscriptions), '[{"name":"a","color":"#c2c2c2"}]', [{ name: 'a', color: '#c2c2c2' }]],
  ['a group setting', required(groupSetting), '11', 11],
  [
    'a group setting',
    required(groupSetting),
    '{"direct_members":[1],"direct_subgroups":[]}',
    { direct_members: [1], direct_subgroups: [] },
  ],
  [
    'a narrow',
    required(narrow),
    '[["is","dm"],{"operator":"near","operand":7}]',
    [['is', 'dm'], { operator: 'near', operand: 7 }],
  ],
  ['a record', required(Type.Record(Type.String(), Type.Boolean())), '{"a":true}', { a: true }],
  ['an escape', required(recipient), String.raw`"\\u0000"`, String.raw`\u0000`],
];

for (const [kind, parameter, text, value] of accepted) {
  // rules: conventions-3
  test(`${kind} sent as ${JSON.stringify(text)} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(decodeOne(parameter, text), value);
  });
}

const refused: readonly (readonly [schema: Parameter, text: string, message: string])[] = [
  [required(Type.Integer()), 'x', 'p is not valid JSON'],
  [required(Type.Integer()), '', 'p is not valid JSON'],
  [required(Type.Integer()), '05', 'p is not valid JSON'],
  [required(Type.Integer()), 'true', 'p is not an integer'],
  [required(Type.Integer()), '1.5', 'p is not an integer'],
  [required(Type.Integer()), '"5"', 'p is not an integer'],
  [required(Type.Integer()), '[5]', 'p is not an integer'],
  [required(Type.Integer()), '9007199254740992', 'p is too large'],
  [required(Type.Integer({ minimum: 0 })), '-1', 'p is too small'],
  [required(Type.Integer({ maximum: 5000 })), '5001', 'p is too large'],
  [required(Type.Number()), 'x', 'p is not valid JSON'],
  [required(Type.Number()), '"x"', 'p is not a number'],
  [required(Type.Boolean()), 'True', 'p is not valid JSON'],
  [required(Type.Boolean()), '', 'p is not valid JSON'],
  [required(Type.Boolean()), '1', 'p is not a boolean'],
  [required(Type.Boolean()), '"true"', 'p is not a boolean'],
  [required(messageType), 'fax', 'Invalid p'],
  [required(messageType), '', 'Invalid p'],
  [required(messageType, { saysWhy: true }), 'fax', 'Invalid p: Value error, Not in the list of possible values'],
  [required(Type.Enum(['a', 'b'])), 'c', 'Invalid p'],
  [required(Type.Enum([1, 2])), '3', 'Invalid p: Value error, Not in the list of possible values'],
  [required(anchor), 'latest', 'Invalid p'],
  [required(anchor), '10000000000000000', 'Invalid p'],
  [required(Type.String({ minLength: 1 })), '', 'p cannot be blank'],
  [required(Type.String({ maxLength: 3 })), 'abcd', 'p is too long (limit: 3 characters)'],
  [required(Type.String()), 'a\0b', 'p contains a null byte'],
  [required(recipient), 'a\0b', 'p contains a null byte'],
  [required(recipient), String.raw`"a\u0000b"`, 'p contains a null byte'],
  [required(recipient), '[1,"a"]', 'p[0] is not a string'],
  [required(recipient), '{"id":1}', 'p is not a string, an integer or a list'],
  [required(Type.Array(Type.Integer())), '[1', 'p is not valid JSON'],
  [required(Type.Array(Type.Integer())), '1', 'p is not a list'],
  [required(Type.Array(Type.Integer())), '[1,"2"]', 'p[1] is not an integer'],
  [required(Type.Array(Type.Integer())), '[1e300]', 'p[0] is too large'],
  [required(Type.Array(Type.Integer())), 'null', 'p is not a list'],
  [required(Type.Array(Type.Integer(), { maxItems: 2 })), '[1,2,3]', 'p is too long (limit: 2 items)'],
  [required(Type.Array(Type.Integer(), { maxItems: 2 })), '["a",2,3]', 'p is too long (limit: 2 items)'],
  [required(subscriptions), 'general', 'p is not valid JSON'],
  [required(subscriptions), '[{"name":5}]', 'p[0]["name"] is not a string'],
  [required(subscriptions), '[{"name":""}]', 'p[0]["name"] cannot be blank'],
  [required(subscriptions), '[{"description":""}]', 'p[0]["name"] field is missing: Field required'],
  [required(subscriptions), '["general"]', 'p[0] is not a dict'],
  [required(subscriptions), String.raw`[{"name":"a\u0000"}]`, 'p contains a null byte'],
  [required(subscriptions), String.raw`[{"name":"a\ud800"}]`, 'p is not valid Unicode'],
  [
    required(groupSetting),
    '{"direct_members":["x"],"direct_subgroups":[]}',
    'p["direct_members"][0] is not an integer',
  ],
  [required(groupSetting), '[]', 'p is not an integer or a dict'],
  [
    required(Type.Object({ a: Type.Integer() }, { additionalProperties: false })),
    '{"a":1,"b":2}',
    'Argument "b" at p["b"] is unexpected',
  ],
  [required(Type.Record(Type.String(), Type.Boolean())), '{"a":1}', 'p["a"] is not a boolean'],
];

for (const [parameter, text, message] of refused) {
  // rules: errors-3
  test(`${JSON.stringify(parameter.schema)} refuses ${JSON.stringify(text)}: ${message}`, () => {
    assert.throws(
      () => decodeOne(parameter, text),
      (error) =>
        error instanceof ApiError && error.message === message && error.code === 'BAD_REQUEST' && error.status === 400,
      message,
    );
  });
}

test('a recursive value nested beyond the stack is a client error', () => {
  const tree = Type.Cyclic({ Tree: Type.Object({ children: Type.Array(Type.Ref('Tree')) }) }, 'Tree');
  const depth = 200_000;
  const text = '{"children":['.repeat(depth) + ']}'.repeat(depth);
  assert.throws(() => decodeOne(required(tree), text), /nested too deeply/);
});

const sample = defineEndpoint({
  operationId: 'sample',
  method: 'POST',
  path: '/channels/{channel_id}/sample',
  area: 'samples',
  summary: 'A sample',
  authentication: 'none',
  parameters: {
    channel_id: inPath(Type.Integer()),
    topic: required(Type.String(), { aliases: ['subject'] }),
    count: defaulted(Type.Integer(), 3),
    flag: optional(Type.Boolean()),
  },
  response: Type.Object({}),
  errors: [],
});
const decodeSample = compileParameters(sample);

function decode(query: string, form?: string): DecodedParameters {
  return decodeSample({ channel_id: '8' }, fieldsOf(query), form === undefined ? undefined : fieldsOf(form));
}

function errorOf(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('an omitted parameter has its default or undefined', () => {
  assert.deepEqual(decode('', 'topic=t').values, { channel_id: 8, topic: 't', count: 3, flag: undefined });
});

test('a missing parameter is named', () => {
  const error = errorOf(() => decode('count=1'));
  assert.equal(error.status, 400);
  assert.equal(error.code, 'REQUEST_VARIABLE_MISSING');
  assert.equal(error.message, "Missing 'topic' argument");
  assert.deepEqual(error.extra, { var_name: 'topic' });
});

test('a parameter can be sent under its alias', () => {
  assert.equal(decode('', 'subject=t').values.topic, 't');
});

test('a parameter under two names is an error', () => {
  const error = errorOf(() => decode('subject=a', 'topic=b'));
  assert.equal(error.code, 'REQUEST_CONFUSING_VAR');
  assert.deepEqual(error.extra, { var_name1: 'topic', var_name2: 'subject' });
});

// rules: conventions-3
test('parameters are also read from the query, and the form takes precedence', () => {
  assert.deepEqual(decode('topic=a&count=1', 'topic=b').values, {
    channel_id: 8,
    topic: 'b',
    count: 1,
    flag: undefined,
  });
});

test('the last of several values counts', () => {
  assert.equal(decode('topic=a&topic=b&topic=c').values.topic, 'c');
});

// rules: conventions-3
test('a path parameter is not read from the query', () => {
  const { values, ignored } = decode('topic=t&channel_id=9');
  assert.equal(values.channel_id, 8);
  assert.deepEqual(ignored, ['channel_id']);
});

test('unknown parameters are reported once each, and `client` is known everywhere', () => {
  assert.deepEqual(decode('topic=t&x=1&client=c', 'x=2&y=3').ignored, ['x', 'y']);
  assert.equal(decode('topic=t&client=c').ignored, undefined);
});

test('names of built-in object properties are names like others', () => {
  const { values, ignored } = decode('topic=t&__proto__=1&constructor=2&hasOwnProperty=3');
  assert.deepEqual(ignored, ['__proto__', 'constructor', 'hasOwnProperty']);
  assert.equal(values.flag, undefined);
});

test('a request with too many names is refused', () => {
  const query = Array.from({ length: 1001 }, (_, index) => `p${index}=`).join('&');
  assert.throws(() => decode(query), /at most 1000 parameters/);
});
