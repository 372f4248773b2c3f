/**
 * Every list and every string of every parameter has a bound. The server refuses a longer one before it checks the
 * content. The cases are derived from the contract, so new endpoints are covered.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import type { Endpoint } from '@heddle/api/contract.ts';
import { ApiError } from '@heddle/api/errors.ts';
import { isSchemaList, type JsonSchema, jsonSchemaOf, stringChoices } from '@heddle/api/json-schema.ts';
import type { Fields } from '../bodies/url-encoded.ts';
import { compileParameters } from './parameters.ts';

/** A list or a string in a parameter, with a value in which it is one longer than allowed. */
interface Place {
  readonly path: string;
  readonly maximum: number | undefined;
  readonly tooLong: () => unknown;
}

/** A value that matches no schema: checking it yields another error than "too long". */
const WRONG = null;

function placesOf(schema: JsonSchema, path: string): readonly Place[] {
  if (stringChoices(schema) !== undefined) return [];
  const branches = schema.anyOf ?? schema.allOf;
  if (branches) return branches.flatMap((branch) => placesOf(branch, path));
  switch (schema.type) {
    case 'string':
      return [{ path, maximum: schema.maxLength, tooLong: () => 'x'.repeat((schema.maxLength ?? 0) + 1) }];
    case 'array':
      return placesOfList(schema, path);
    case 'object':
      return placesOfObject(schema, path);
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return [];
    default:
      // The schema accepts anything of any length.
      return [{ path, maximum: undefined, tooLong: () => WRONG }];
  }
}

function placesOfList({ items, maxItems }: JsonSchema, path: string): readonly Place[] {
  const inner = (isSchemaList(items) ? items : [typeof items === 'object' ? items : {}]).flatMap((item) =>
    placesOf(item, `${path}[]`),
  );
  return [
    { path, maximum: maxItems, tooLong: () => Array.from({ length: (maxItems ?? 0) + 1 }, () => WRONG) },
    ...inner.map((place) => ({ ...place, tooLong: () => [place.tooLong()] })),
  ];
}

function placesOfObject(schema: JsonSchema, path: string): readonly Place[] {
  const known = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    placesOf(property, `${path}.${name}`).map((place) => ({ ...place, tooLong: () => ({ [name]: place.tooLong() }) })),
  );
  const { additionalProperties } = schema;
  const others = [
    ...Object.values(schema.patternProperties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  if (others.length === 0) return known;
  const many = () =>
    Object.fromEntries(Array.from({ length: (schema.maxProperties ?? 0) + 1 }, (_, key) => [`${key}`, WRONG]));
  return [
    ...known,
    { path: `${path}{}`, maximum: schema.maxProperties, tooLong: many },
    ...others.flatMap((other) =>
      placesOf(other, `${path}{}`).map((place) => ({ ...place, tooLong: () => ({ 1: place.tooLong() }) })),
    ),
  ];
}

/** The largest body that the server accepts: a larger bound has no effect. */
const LARGEST = 4 * 1024 * 1024;

/** Returns the error for a request with only this parameter, ignoring the checks of the others. */
function refusalOf(endpoint: Endpoint, name: string, text: string): unknown {
  const parameter = endpoint.parameters[name];
  assert(parameter !== undefined);
  const isInPath = parameter.presence === 'path';
  const decode = compileParameters({ ...endpoint, parameters: { [name]: parameter } });
  const fields: Fields = { [name]: text };
  try {
    decode(isInPath ? fields : {}, {}, isInPath ? undefined : fields);
  } catch (error) {
    return error;
  }
  return undefined;
}

for (const endpoint of await allEndpoints()) {
  for (const [name, parameter] of Object.entries(endpoint.parameters)) {
    for (const { path, maximum, tooLong } of placesOf(jsonSchemaOf(parameter.schema), name)) {
      test(`${endpoint.method} ${endpoint.path}: ${path} is bounded, and the content of longer values is not checked`, () => {
        assert(maximum !== undefined, `${path} has no bound: see api/src/bounds.ts`);
        assert(maximum < LARGEST, `${path} is bounded beyond what a body can hold`);
        const value = tooLong();
        const error = refusalOf(endpoint, name, typeof value === 'string' ? value : JSON.stringify(value));
        assert(error instanceof ApiError, `${path} accepted ${maximum + 1}`);
        assert.equal(error.status, 400);
        assert.match(error.message, /is too long \(limit: \d+ (?:items|characters|fields)\)$/);
      });
    }
  }
}

/**
 * Parsing any of these would block the event loop for half a second or more. The last one is a field that no schema
 * names.
 */
const HOSTILE_JSON = [
  '['.repeat(LARGEST),
  `[${'[],'.repeat(LARGEST / 3)}0]`,
  `[${'{},'.repeat(LARGEST / 3)}0]`,
  `{${Array.from({ length: 300_000 }, (_, key) => `"${key}":0`)}}`,
  `{"later":[${'{"a":[]},'.repeat(LARGEST / 9)}0]}`,
];

for (const endpoint of await allEndpoints()) {
  for (const [name, parameter] of Object.entries(endpoint.parameters)) {
    if (!takesJson(jsonSchemaOf(parameter.schema))) continue;
    test(`${endpoint.method} ${endpoint.path}: ${name} is not parsed if it has too many values`, () => {
      for (const text of HOSTILE_JSON) {
        const error = refusalOf(endpoint, name, text);
        assert(error instanceof ApiError, `${name} accepted ${text.slice(0, 30)}`);
        assert.match(error.message, /nested too deeply|is too long: it has too many/);
      }
    });
  }
}

function takesJson(schema: JsonSchema): boolean {
  if (stringChoices(schema) !== undefined) return false;
  return (schema.anyOf ?? schema.allOf)?.some(takesJson) ?? (schema.type === 'array' || schema.type === 'object');
}
