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
  response: { kind: 'file', contentTypes: ['image/png'] },
});

const welcome = defineEndpoint({
  ...common,
  operationId: 'welcome',
  method: 'GET',
  path: '/welcome',
  summary: 'Welcome',
  parameters: {},
  response: { kind: 'page' },
});

const away = defineEndpoint({
  ...common,
  operationId: 'away',
  method: 'POST',
  path: '/away',
  summary: 'Away',
  parameters: {},
  response: { kind: 'redirect' },
});

const outside = defineEndpoint({ ...welcome, operationId: 'login', path: '/login', outsideApi: true });

const { paths } = openApiDocument([upload, perhaps, append, download, welcome, away, outside], { version: '1' });
// biome-ignore lint/suspicious/noExplicitAny: the test checks what the document contains
const operation = (path: string, method: string): any => paths[path]?.[method];

test('a file is a field of a multipart form, and the form accepts no other encoding', () => {
  const { content, required } = operation('/uploads', 'post').requestBody;
  assert.equal(required, true);
  assert.deepEqual(Object.keys(content), ['multipart/form-data']);
  const { schema } = content['multipart/form-data'];
  assert.deepEqual(Object.keys(schema.properties), ['topic', 'file']);
  assert.deepEqual(schema.required, ['file']);
  assert.match(schema.properties.file.description, /A picture/);
});

test('with an optional file, the form accepts other encodings', () => {
  const { content, required } = operation('/uploads/perhaps', 'post').requestBody;
  assert.equal(required, false);
  const { 'multipart/form-data': multipart, 'application/x-www-form-urlencoded': form } = content;
  assert.deepEqual(Object.keys(multipart.schema.properties), ['topic', 'file']);
  assert.equal(multipart.schema.required, undefined);
  assert.deepEqual(Object.keys(form.schema.properties), ['topic']);
});

test('with a body of bytes, the parameters are in the query string', () => {
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

test('responses that are not JSON are described by status and type, and their errors are JSON', () => {
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

test('the document omits endpoints outside the API', () => {
  assert.equal(paths['/login'], undefined);
});

test('bodies and files add their errors', () => {
  assert.ok(errorCodesOf(upload).includes('REQUEST_TIMEOUT'));
  assert.ok(errorCodesOf(download).includes('RANGE_NOT_SATISFIABLE'));
  assert.ok(!errorCodesOf(welcome).includes('REQUEST_TIMEOUT'));
});

test('a GET has no body, and only a GET returns a file', () => {
  assert.throws(() => defineEndpoint({ ...welcome, body: { takes: 'file' } }));
  assert.throws(() => defineEndpoint({ ...download, method: 'POST' }));
});
