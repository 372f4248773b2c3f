import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { allEndpoints } from './all-endpoints.ts';
import { openApiDocument } from './openapi.ts';

const endpoints = await allEndpoints();
const document = openApiDocument(endpoints, { version: '0' });

test('the OpenAPI document of all endpoints passes a validator', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  assert.ok(valid, JSON.stringify(errors, undefined, 2));
});

test('each operation says what it does, and has an id of its own', () => {
  const ids = endpoints.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { operationId, summary } of endpoints) assert.ok(summary.length > 10, operationId);
});
