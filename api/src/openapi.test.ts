import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { defaulted, defineEndpoint, type Endpoint, inPath, optional, required } from './contract.ts';
import { type JsonSchema, mapSchema } from './json-schema.ts';
import { openApiDocument } from './openapi.ts';

const person = Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'Person' });

const common = { area: 'People', authentication: 'required', errors: [] } as const;

const getPerson = defineEndpoint({
  ...common,
  operationId: 'get-person',
  method: 'GET',
  path: '/people/{person_id}',
  summary: 'Get a person',
  parameters: {
    person_id: inPath(Type.Integer()),
    fields: defaulted(Type.Array(Type.String()), ['name']),
    verbose: optional(Type.Boolean(), { aliases: ['long'], description: 'Says more.' }),
  },
  response: Type.Object({ person }),
});

const getPersonByEmail = defineEndpoint({
  ...common,
  operationId: 'get-person-by-email',
  method: 'GET',
  path: '/people/{email}',
  summary: 'Get a person by address',
  parameters: { email: inPath(Type.String()) },
  response: Type.Object({ person }),
});

const updatePerson = defineEndpoint({
  ...common,
  operationId: 'update-person',
  method: 'PATCH',
  path: '/people/{person_id}',
  summary: 'Change a person',
  authentication: 'optional',
  parameters: {
    person_id: inPath(Type.Integer()),
    name: required(Type.String()),
    to: optional(Type.Union([Type.String(), Type.Array(Type.Integer())])),
    place: optional(Type.Tuple([Type.Number(), Type.Number()])),
  },
  response: Type.Union([person, Type.Object({})]),
  errors: ['STREAM_DOES_NOT_EXIST', 'NOT_FOUND'],
});

const open = defineEndpoint({
  ...common,
  operationId: 'open',
  method: 'POST',
  path: '/open',
  summary: 'Open to all',
  authentication: 'none',
  parameters: {},
  response: Type.Object({}),
});

const endpoints: readonly Endpoint[] = [getPerson, getPersonByEmail, updatePerson, open];
const document = openApiDocument(endpoints, { version: '1.2.3', url: 'https://chat.example.com' });

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema?: JsonSchema;
    readonly content?: { readonly [type: string]: { readonly schema: JsonSchema } };
    readonly description?: string;
  }[];
  readonly requestBody?: {
    readonly content: {
      readonly [type: string]: {
        readonly schema: JsonSchema;
        readonly encoding?: { readonly [name: string]: { readonly contentType: string } };
      };
    };
  };
  readonly responses: {
    readonly [status: string]: {
      readonly description: string;
      readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
    };
  };
}

function operations(): { readonly path: string; readonly method: string; readonly operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: operation as unknown as Operation,
    })),
  );
}

function operationOf(path: string, method: string): Operation {
  const operation = document.paths[path]?.[method];
  assert.ok(operation, `${method} ${path}`);
  return operation as unknown as Operation;
}

function allSchemas(): JsonSchema[] {
  return [
    ...Object.values(document.components.schemas),
    ...operations().flatMap(({ operation }) => [
      ...(operation.parameters ?? []).map(
        ({ schema, content }) => schema ?? content?.['application/json']?.schema ?? {},
      ),
      ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
      ...Object.values(operation.responses).map(({ content }) => content['application/json'].schema),
    ]),
  ];
}

test('the document contains the version, the server and the authentication', () => {
  assert.equal(document.openapi, '3.1.1');
  assert.equal(document.info.title, 'Heddle');
  assert.equal(document.info.version, '1.2.3');
  assert.deepEqual(document.servers, [{ url: 'https://chat.example.com/api/v1' }]);
  assert.ok('apiKey' in document.components.securitySchemes);
});

test('every path parameter is declared, and every declared path parameter is in the path', () => {
  for (const { path, operation } of operations()) {
    const inTemplate = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    assert.deepEqual(declared.map(({ name }) => name).sort(), inTemplate.sort(), path);
    for (const parameter of declared) assert.equal(parameter.required, true);
  }
});

test('no two paths differ only in the names of their segments', () => {
  const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  assert.equal(new Set(shapes).size, shapes.length);
});

test('endpoints that share a path and a method are one operation that describes both', () => {
  const shared = operationOf('/people/{person_id_or_email}', 'get');
  assert.equal(shared.operationId, 'get-person');
  assert.match(shared.summary, /Get a person · Get a person by address/);
  const [segment] = shared.parameters ?? [];
  assert.deepEqual(segment?.schema, { anyOf: [{ type: 'integer' }, { type: 'string' }] });
});

test('operation ids are unique', () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
});

test('every reference points to a component', () => {
  for (const schema of allSchemas()) {
    mapSchema(schema, (inner) => {
      if (inner.$ref !== undefined) {
        const name = /^#\/components\/schemas\/([\w.-]+)$/.exec(inner.$ref)?.[1];
        assert.ok(name !== undefined && document.components.schemas[name], inner.$ref);
      }
      return inner;
    });
  }
});

test('schemas use JSON Schema 2020-12, with prefixItems for tuples', () => {
  let tuples = 0;
  for (const schema of allSchemas()) {
    mapSchema(schema, (inner) => {
      assert.equal(inner.additionalItems, undefined);
      assert.ok(!Array.isArray(inner.items));
      if (inner.prefixItems !== undefined) tuples += 1;
      return inner;
    });
  }
  assert.ok(tuples > 0);
});

test('titled objects are components', () => {
  const response = operationOf('/people/{person_id_or_email}', 'get').responses[200];
  assert.deepEqual(response?.content['application/json'].schema.properties?.person, {
    $ref: '#/components/schemas/Person',
  });
  assert.equal(document.components.schemas.Person?.title, 'Person');
});

test('two different schemas cannot have the same title', () => {
  const other = { ...getPerson, path: '/other/{person_id}', response: Type.Object({}, { title: 'Person' }) } as const;
  assert.throws(() => openApiDocument([getPerson, other], { version: '1' }), /two schemas are titled Person/);
});

test('lists in a query string are JSON, plain values are not', () => {
  const [, fields, verbose] = operationOf('/people/{person_id_or_email}', 'get').parameters ?? [];
  assert.deepEqual(fields?.content, {
    'application/json': { schema: { type: 'array', items: { type: 'string' }, default: ['name'] } },
  });
  assert.deepEqual(verbose?.schema, { type: 'boolean' });
  assert.equal(verbose?.description, 'Says more.\n\nAlso accepted as `long`.');
});

test('the body of a PATCH is a form, with JSON in the fields that need it', () => {
  const form = operationOf('/people/{person_id_or_email}', 'patch').requestBody?.content[
    'application/x-www-form-urlencoded'
  ];
  assert.deepEqual(form?.schema.required, ['name']);
  assert.deepEqual(Object.keys(form?.schema.properties ?? {}), ['name', 'to', 'place']);
  assert.deepEqual(form?.encoding, {
    to: { contentType: 'application/json' },
    place: { contentType: 'application/json' },
  });
});

// rules: conventions-4
test('a success has the envelope', () => {
  const schema = operationOf('/open', 'post').responses[200]?.content['application/json'].schema;
  assert.ok(schema);
  const validator = Compile(schema);
  assert.equal(validator.Check({ result: 'success', msg: '' }), true);
  assert.equal(validator.Check({ result: 'success', msg: '', ignored_parameters_unsupported: ['x'] }), true);
  assert.equal(validator.Check({ result: 'error', msg: '' }), false);
  assert.equal(validator.Check({ msg: '' }), false);
});

// rules: conventions-6, errors-2
test('each error is listed under its status, with its extra fields', () => {
  const { responses } = operationOf('/people/{person_id_or_email}', 'patch');
  assert.deepEqual(Object.keys(responses), ['200', '400', '401', '403', '404', '413', '415', '429', '500', '503']);
  assert.match(responses[400]?.description ?? '', /`STREAM_DOES_NOT_EXIST`/);
  assert.match(responses[400]?.description ?? '', /`REQUEST_VARIABLE_MISSING`/);
  const { STREAM_DOES_NOT_EXIST: channel, RATE_LIMIT_HIT: limit } = document.components.schemas;
  assert.deepEqual(channel?.required, ['result', 'msg', 'code']);
  assert.deepEqual(limit?.required, ['result', 'msg', 'code', 'retry-after']);
});

test('endpoints with authentication require credentials', () => {
  assert.deepEqual(operationOf('/open', 'post').security, []);
  assert.deepEqual(operationOf('/people/{person_id_or_email}', 'get').security, [{ apiKey: [] }]);
  assert.deepEqual(operationOf('/people/{person_id_or_email}', 'patch').security, [{ apiKey: [] }, {}]);
  assert.ok(operationOf('/open', 'post').responses[401] !== undefined, 'the organization may be deactivated');
});
