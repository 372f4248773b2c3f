import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
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
} from './contract.ts';

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

test('a path and its path parameters must agree', () => {
  assert.throws(() => defineEndpoint({ ...sample, parameters: {} }), /disagree/);
  assert.throws(() => defineEndpoint({ ...sample, path: '/samples' }), /disagree/);
  assert.throws(() => defineEndpoint({ ...sample, path: '/samples/{other}' }), /disagree/);
});

test('no name stands for two parameters', () => {
  const topic = optional(Type.String(), { aliases: ['subject'] });
  const parameters = { ...sample.parameters, topic, subject: optional(Type.String()) };
  assert.throws(() => defineEndpoint({ ...sample, parameters }), /two parameters are called subject/);
});

test('the rest of the path stands last', () => {
  const parameters = { sample_id: inPath(Type.String(), { restOfPath: true }) };
  assert.throws(() => defineEndpoint({ ...sample, path: '/samples/{sample_id}/more', parameters }), /must stand last/);
});

test('parameters and authentication bring their errors with them', () => {
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

test('types follow the definition', () => {
  const endpoint = defineEndpoint({
    ...sample,
    parameters: { ...sample.parameters, to: optional(Type.String()), count: defaulted(Type.Integer(), 1) },
  });
  const decoded: Parameters<typeof endpoint> = { sample_id: 1, to: undefined, count: 2 };
  const given: Arguments<typeof endpoint> = { sample_id: 1 };
  // @ts-expect-error: handlers always find the value of a defaulted parameter
  const incomplete: Parameters<typeof endpoint> = { sample_id: 1, to: undefined };
  // @ts-expect-error: a path parameter cannot be left out
  const nothing: Arguments<typeof endpoint> = {};
  // @ts-expect-error: only the codes of the list are errors
  defineEndpoint({ ...sample, errors: ['NO_SUCH_CODE'] });
  assert.deepEqual([decoded.count, given.sample_id, incomplete.sample_id, nothing], [2, 1, 1, {}]);
});

test('what a request leaves out has its default, or is undefined', () => {
  const parameters = { ...sample.parameters, to: optional(Type.String()), count: defaulted(Type.Integer(), 1) };
  const endpoint = defineEndpoint({ ...sample, parameters });
  assert.deepEqual(completed(endpoint, { sample_id: 7 }), { sample_id: 7, to: undefined, count: 1 });
  assert.deepEqual(completed(endpoint, { sample_id: 7, to: 'a', count: 0 }), { sample_id: 7, to: 'a', count: 0 });
});
