/** Says what is wrong with a parameter's value, in the words that clients of this API expect. */
import { type ApiError, badRequest, invalidChoice, invalidParameter, invalidValue } from '@heddle/api/errors.ts';
import { isSchemaList, type JsonSchema, stringChoices } from '@heddle/api/json-schema.ts';
import { Compile } from 'typebox/compile';

/** The error for a `value` that does not fit `schema`. It names the innermost wrong value: `subscriptions[0]["name"] is not a string`. */
export function problemWith(schema: JsonSchema, value: unknown, name: string): ApiError {
  if (schema.const !== undefined || schema.enum) return outsideOf(value, name);
  if (schema.anyOf) return problemWithAll(schema.anyOf, value, name);
  if (schema.allOf) {
    const failing = schema.allOf.find((part) => !Check(part, value));
    return failing ? problemWith(failing, value, name) : invalidChoice(name);
  }
  if (schema.type !== undefined && !isOfType(schema.type, value)) {
    return invalidParameter(name, `is not ${withArticle(schema.type)}`);
  }
  if (typeof value === 'number') return problemWithNumber(schema, value, name);
  if (typeof value === 'string') return problemWithString(schema, value, name);
  if (Array.isArray(value)) return problemWithList(schema, value, name);
  if (typeof value === 'object' && value !== null) return problemWithObject(schema, value, name);
  return invalidChoice(name);
}

export const NOT_LISTED = 'Not in the list of possible values';

/** The reference has a longer text for numbers. */
function outsideOf(value: unknown, name: string): ApiError {
  return typeof value === 'number' ? invalidValue(name, NOT_LISTED) : invalidChoice(name);
}

function problemWithAll(branches: readonly JsonSchema[], value: unknown, name: string): ApiError {
  const sameType = branches.filter((branch) => branch.type === undefined || isOfType(branch.type, value));
  if (sameType.some((branch) => stringChoices(branch))) return invalidChoice(name);
  const [closest] = sameType;
  if (closest) return problemWith(closest, value, name);
  const types = [...new Set(branches.map((branch) => withArticle(branch.type ?? 'value')))];
  const last = types.pop();
  return invalidParameter(name, `is not ${types.length > 0 ? `${types.join(', ')} or ` : ''}${last}`);
}

function problemWithNumber(schema: JsonSchema, value: number, name: string): ApiError {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  if (value < minimum || value <= exclusiveMinimum) return invalidParameter(name, 'is too small');
  if (value > maximum || value >= exclusiveMaximum) return invalidParameter(name, 'is too large');
  return invalidChoice(name);
}

function problemWithString(schema: JsonSchema, value: string, name: string): ApiError {
  if (value.length < (schema.minLength ?? 0)) {
    return invalidParameter(name, schema.minLength === 1 ? 'cannot be blank' : 'is too short.');
  }
  if (value.length > (schema.maxLength ?? Infinity)) {
    return invalidParameter(name, `is too long (limit: ${schema.maxLength} characters)`);
  }
  return invalidChoice(name);
}

function problemWithList(schema: JsonSchema, value: readonly unknown[], name: string): ApiError {
  const { items, minItems = 0, maxItems = Infinity } = schema;
  if (value.length < minItems) return invalidParameter(name, 'is too short.');
  for (const [index, element] of value.entries()) {
    const expected = isSchemaList(items) ? items[index] : items;
    if (typeof expected === 'object' && !Check(expected, element))
      return problemWith(expected, element, `${name}[${index}]`);
  }
  if (value.length > maxItems || (isSchemaList(items) && value.length > items.length)) {
    return invalidParameter(name, 'is too long');
  }
  return invalidChoice(name);
}

function problemWithObject(schema: JsonSchema, value: object, name: string): ApiError {
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const field of schema.required ?? []) {
    if (!fields.has(field))
      return invalidParameter(`${name}[${JSON.stringify(field)}]`, 'field is missing: Field required');
  }
  for (const [field, content] of fields) {
    const place = `${name}[${JSON.stringify(field)}]`;
    const expected = schemaOfField(schema, field);
    if (expected === false) {
      return badRequest(`Argument ${JSON.stringify(field)} at ${place} is unexpected`);
    }
    if (expected && !Check(expected, content)) return problemWith(expected, content, place);
  }
  return invalidChoice(name);
}

/** The schema of one field of the object; `false` if the field is not allowed; `undefined` if anything is. */
function schemaOfField(schema: JsonSchema, field: string): JsonSchema | false | undefined {
  const known = schema.properties && Object.hasOwn(schema.properties, field) ? schema.properties[field] : undefined;
  if (known) return known;
  for (const [pattern, content] of Object.entries(schema.patternProperties ?? {})) {
    if (new RegExp(pattern, 'u').test(field)) return content;
  }
  return typeof schema.additionalProperties === 'object' || schema.additionalProperties === false
    ? schema.additionalProperties
    : undefined;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

const articles: { readonly [type: string]: string } = {
  integer: 'an integer',
  array: 'a list',
  object: 'a dict',
  null: 'null',
};

function withArticle(type: string): string {
  return articles[type] ?? `a ${type}`;
}

const validators = new WeakMap<JsonSchema, ReturnType<typeof Compile>>();

/** Whether the value fits the schema, which is compiled at the first use: each item of a long list needs it. */
function Check(schema: JsonSchema, value: unknown): boolean {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value);
}
