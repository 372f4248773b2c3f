import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { defineEndpoint, errorCodesOf, inPath, optional } from './contract.ts';
import { openApiDocument } from './openapi.ts';

const common = { area: 'Files', authentication: 'required', errors: [] } as const;

const upload = defineEndpoint({
  ...common,
  operationId: 'upload',
  method: 'POST',
  path: '/uploads',
  summary: 'Upload',
  parameters: { topic: optional(Type.String()) },
  body: { takes: 'file', description: 'A picture.' },
  response: Type.Object({ id: Type.Integer() }),
});

const perhaps = defineEndpoint({
  ...upload,
  operationId: 'upload-perhaps',
  path: '/uploads/perhaps',
  body: { takes: 'optional-file' },
});

const append = defineEndpoint({
  ...common,
  operationId: 'append',
  method: 'PATCH',
  path: '/uploads/{id}',
  summary: 'Append',
  parameters: { id: inPath(Type.Integer()), last: optional(Type.Boolean()) },
  body: { takes: 'bytes', contentTypes: ['application/offset+octet-stream'] },
  response: Type.Object({}),
});

const download = defineEndpoint({
  ...common,
  operationId: 'download',
  method: 'GET',
  path: '/files/{name}',
  summary: 'Download',
  parameters: { name: inPath(Type.String()) },
  response: { gives: 'file', contentTypes: ['image/png'] },
});

const welcome = defineEndpoint({
  ...common,
  operationId: 'welcome',
  method: 'GET',
  path: '/welcome',
  summary: 'Welcome',
  parameters: {},
  response: { gives: 'page' },
});

const away = defineEndpoint({
  ...common,
  operationId: 'away',
  method: 'POST',
  path: '/away',
  summary: 'Away',
  parameters: {},
  response: { gives: 'redirect' },
});

const outside = defineEndpoint({ ...welcome, operationId: 'login', path: '/login', outsideApi: true });

const { paths } = openApiDocument([upload, perhaps, append, download, welcome, away, outside], { version: '1' });
// biome-ignore lint/suspicious/noExplicitAny: the test says what it expects in the document
const operation = (path: string, method: string): any => paths[path]?.[method];

test('a file is a field of a multipart form, which nothing else can be', () => {
  const { content, required } = operation('/uploads', 'post').requestBody;
  assert.equal(required, true);
  assert.deepEqual(Object.keys(content), ['multipart/form-data']);
  const { schema } = content['multipart/form-data'];
  assert.deepEqual(Object.keys(schema.properties), ['topic', 'file']);
  assert.deepEqual(schema.required, ['file']);
  assert.match(schema.properties.file.description, /A picture/);
});

test('where the file may be left out, another form will do', () => {
  const { content, required } = operation('/uploads/perhaps', 'post').requestBody;
  assert.equal(required, false);
  const { 'multipart/form-data': multipart, 'application/x-www-form-urlencoded': form } = content;
  assert.deepEqual(Object.keys(multipart.schema.properties), ['topic', 'file']);
  assert.equal(multipart.schema.required, undefined);
  assert.deepEqual(Object.keys(form.schema.properties), ['topic']);
});

test('beside bytes the parameters are in the query', () => {
  const { requestBody, parameters } = operation('/uploads/{id}', 'patch');
  assert.deepEqual(requestBody.content, { 'application/offset+octet-stream': {} });
  assert.deepEqual(
    parameters.map((parameter: { name: string; in: string }) => [parameter.name, parameter.in]),
    [
      ['id', 'path'],
      ['last', 'query'],
    ],
  );
});

test('answers that are no JSON are told by status and type, their errors are JSON', () => {
  const { responses } = operation('/files/{name}', 'get');
  assert.deepEqual(responses[200].content, { 'image/png': {} });
  assert.deepEqual(responses[206].content, { 'image/png': {} });
  for (const status of [304, '3XX', 404, 416]) assert.ok(responses[status], String(status));
  assert.deepEqual(Object.keys(responses[416].content), ['application/json']);
  assert.deepEqual(Object.keys(operation('/welcome', 'get').responses[200].content), ['text/html']);
  const redirected = operation('/away', 'post').responses;
  assert.ok(redirected['3XX'].headers.location);
  assert.equal(redirected[200], undefined);
});

test('what is outside of the API is not described', () => {
  assert.equal(paths['/login'], undefined);
});

test('bodies and files bring their errors with them', () => {
  assert.ok(errorCodesOf(upload).includes('REQUEST_TIMEOUT'));
  assert.ok(errorCodesOf(download).includes('RANGE_NOT_SATISFIABLE'));
  assert.ok(!errorCodesOf(welcome).includes('REQUEST_TIMEOUT'));
});

test('a GET takes no body, and only a GET gives a file', () => {
  assert.throws(() => defineEndpoint({ ...welcome, body: { takes: 'file' } }));
  assert.throws(() => defineEndpoint({ ...download, method: 'POST' }));
});
