import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEndpoint, required } from '@heddle/api/contract.ts';
import { badRequest, channelDoesNotExist, missingParameter, rateLimited, unauthorized } from '@heddle/api/errors.ts';
import Type, { type TSchema } from 'typebox';
import { errorBody, successBody } from '../../http/answers/envelope.ts';
import { checkAnswer } from './contract-check.ts';

function bodyOf(answer: unknown, ignored: readonly string[] | undefined): string {
  return String(successBody(answer, ignored));
}

function endpointOf(response: TSchema) {
  return defineEndpoint({
    operationId: 'sample',
    method: 'POST',
    path: '/sample',
    area: 'samples',
    summary: 'A sample',
    authentication: 'none',
    parameters: { p: required(Type.String()) },
    response,
    errors: ['STREAM_DOES_NOT_EXIST'],
  });
}

const nested = endpointOf(
  Type.Object({
    id: Type.Integer(),
    list: Type.Array(Type.Object({ name: Type.String() })),
    names: Type.Optional(Type.Record(Type.String(), Type.Object({ a: Type.Integer() }))),
    open: Type.Optional(Type.Object({ known: Type.Integer() }, { additionalProperties: true })),
  }),
);

function check(answer: unknown, ignored?: readonly string[]): void {
  checkAnswer(nested, 200, bodyOf(answer, ignored));
}

test('a response that conforms to the contract passes', () => {
  check({ id: 1, list: [] });
  check({ id: 1, list: [{ name: 'a' }], names: { x: { a: 1 } }, open: { known: 1, more: 2 } }, ['later']);
});

test('an extra field fails, at any depth', () => {
  assert.throws(() => check({ id: 1, list: [], more: 1 }));
  assert.throws(() => check({ id: 1, list: [{ name: 'a', more: 1 }] }));
  assert.throws(() => check({ id: 1, list: [], names: { x: { a: 1, b: 2 } } }));
});

test('a missing field fails', () => {
  assert.throws(() => check({ id: 1 }), /list/);
  assert.throws(() => check({ id: 1, list: [{}] }), /name/);
});

test('an ill-typed field fails and is named', () => {
  assert.throws(() => check({ id: '1', list: [] }), /\/id must be integer/);
  assert.throws(() => check({ id: 1, list: [{ name: null }] }), /\/list\/0\/name must be string/);
});

test('an intersection allows the fields of all its parts and no others', () => {
  const both = endpointOf(Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })]));
  checkAnswer(both, 200, bodyOf({ a: 1, b: 2 }, undefined));
  assert.throws(() => checkAnswer(both, 200, bodyOf({ a: 1, b: 2, c: 3 }, undefined)));
  assert.throws(() => checkAnswer(both, 200, bodyOf({ a: 1 }, undefined)));
});

test('one branch of a union must match completely', () => {
  const either = endpointOf(Type.Union([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })]));
  checkAnswer(either, 200, bodyOf({ b: 2 }, undefined));
  assert.throws(() => checkAnswer(either, 200, bodyOf({ a: 1, b: 2 }, undefined)));
});

test('an error requires a code of the contract, its status and its extra fields', () => {
  for (const error of [
    badRequest('no'),
    missingParameter('p'),
    channelDoesNotExist('x'),
    rateLimited(1.5, '1 request in 60 s'),
  ]) {
    checkAnswer(nested, error.status, errorBody(error));
  }
  assert.throws(
    () => checkAnswer(nested, 401, errorBody(unauthorized('x'))),
    /UNAUTHORIZED, which the contract does not name/,
  );
  assert.throws(() => checkAnswer(nested, 404, errorBody(badRequest('x'))), /whose status is 400/);
  assert.throws(
    () => checkAnswer(nested, 400, '{"result":"error","msg":"x","code":"REQUEST_VARIABLE_MISSING"}'),
    /var_name/,
  );
  assert.throws(() => checkAnswer(nested, 400, '{"result":"error","msg":"x","code":"OOPS"}'), /unknown code/);
  assert.throws(() => checkAnswer(nested, 400, '{"result":"error","msg":"x","code":"BAD_REQUEST","more":1}'));
});

test('a response that is not JSON fails', () => {
  assert.throws(() => checkAnswer(nested, 200, '<html>'), /not JSON/);
});
