import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { allEndpoints } from './all-endpoints.ts';
import { openApiDocument } from './openapi.ts';

const endpoints = await allEndpoints();
const document = openApiDocument(endpoints, { version: '0' });

// rules: errors-1
test('the OpenAPI document of all endpoints passes a validator', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  assert.ok(valid, JSON.stringify(errors, undefined, 2));
});

// rules: errors-1
test('each operation has a summary and a unique id', () => {
  const ids = endpoints.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { operationId, summary } of endpoints) assert.ok(summary.length > 10, operationId);
});
