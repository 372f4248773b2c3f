import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { allEndpoints } from './all-endpoints.ts';
import {
  type Arguments,
  completed,
  defaulted,
  defineEndpoint,
  errorCodesOf,
  inPath,
  optional,
  type Parameters,
  required,
  responseSchemaOf,
} from './contract.ts';
import { type JsonSchema, jsonSchemaOf, mapSchema } from './json-schema.ts';

const sample = {
  operationId: 'sample',
  method: 'GET',
  path: '/samples/{sample_id}',
  area: 'samples',
  summary: 'A sample',
  authentication: 'none',
  parameters: { sample_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: [],
} as const;

test('a path must match its path parameters', () => {
  assert.throws(() => defineEndpoint({ ...sample, parameters: {} }), /disagree/);
  assert.throws(() => defineEndpoint({ ...sample, path: '/samples' }), /disagree/);
  assert.throws(() => defineEndpoint({ ...sample, path: '/samples/{other}' }), /disagree/);
});

test('two parameters cannot share a name', () => {
  const topic = optional(Type.String(), { aliases: ['subject'] });
  const parameters = { ...sample.parameters, topic, subject: optional(Type.String()) };
  assert.throws(() => defineEndpoint({ ...sample, parameters }), /two parameters are called subject/);
});

test('a parameter for the rest of the path must be last', () => {
  const parameters = { sample_id: inPath(Type.String(), { restOfPath: true }) };
  assert.throws(() => defineEndpoint({ ...sample, path: '/samples/{sample_id}/more', parameters }), /must stand last/);
});

test('parameters and authentication add their errors', () => {
  const codes = errorCodesOf(sample);
  assert.ok(codes.includes('RATE_LIMIT_HIT'));
  assert.ok(!codes.includes('UNAUTHORIZED'));
  assert.ok(!codes.includes('REQUEST_VARIABLE_MISSING'));
  const topic = required(Type.String(), { aliases: ['subject'] });
  const more = errorCodesOf({ ...sample, authentication: 'optional', parameters: { ...sample.parameters, topic } });
  for (const code of ['UNAUTHORIZED', 'REQUEST_VARIABLE_MISSING', 'REQUEST_CONFUSING_VAR'] as const) {
    assert.ok(more.includes(code), code);
  }
});

test('types follow from the definition', () => {
  const endpoint = defineEndpoint({
    ...sample,
    parameters: { ...sample.parameters, to: optional(Type.String()), count: defaulted(Type.Integer(), 1) },
  });
  const decoded: Parameters<typeof endpoint> = { sample_id: 1, to: undefined, count: 2 };
  const given: Arguments<typeof endpoint> = { sample_id: 1 };
  // @ts-expect-error: handlers always find the value of a defaulted parameter
  const incomplete: Parameters<typeof endpoint> = { sample_id: 1, to: undefined };
  // @ts-expect-error: a path parameter cannot be omitted
  const nothing: Arguments<typeof endpoint> = {};
  // @ts-expect-error: only codes of the list are errors
  defineEndpoint({ ...sample, errors: ['NO_SUCH_CODE'] });
  assert.deepEqual([decoded.count, given.sample_id, incomplete.sample_id, nothing], [2, 1, 1, {}]);
});

test('an omitted parameter has its default or is undefined', () => {
  const parameters = { ...sample.parameters, to: optional(Type.String()), count: defaulted(Type.Integer(), 1) };
  const endpoint = defineEndpoint({ ...sample, parameters });
  assert.deepEqual(completed(endpoint, { sample_id: 7 }), { sample_id: 7, to: undefined, count: 1 });
  assert.deepEqual(completed(endpoint, { sample_id: 7, to: 'a', count: 0 }), { sample_id: 7, to: 'a', count: 0 });
});

/** The names of fields with secrets. */
const SECRETS = /^(api_key|token|invite_link|link_url)$/;

test('every endpoint with API keys, tokens or login links in its response declares secrets', async () => {
  const endpoints = await allEndpoints();
  const having = endpoints.filter((endpoint) => {
    let has = false;
    const schema = responseSchemaOf(endpoint);
    if (schema === undefined) return false;
    mapSchema(jsonSchemaOf(schema), (part: JsonSchema) => {
      has ||= Object.keys(part.properties ?? {}).some((name) => SECRETS.test(name));
      return part;
    });
    return has;
  });
  const named = (some: typeof endpoints) => some.map(({ operationId }) => operationId).sort();
  const declared = endpoints.filter(({ secrets }) => secrets !== undefined);
  // These endpoints also return secrets: a temporary URL of a file, events with the fields of their type, and a page with URLs.
  const others = ['get-events', 'get-file-temporary-url', 'get-integrations-page'];
  assert.deepEqual(named(declared), [...named(having), ...others].sort());
  assert.deepEqual(named(declared.filter(({ secrets }) => secrets === 'sometimes')), ['get-events', 'register-queue']);
});
