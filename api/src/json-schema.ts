/** TypeBox schemas as plain JSON Schema, so that code can traverse them without the library. */
import type { TSchema } from 'typebox';

/** The keywords that the contract's schemas use. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema | readonly JsonSchema[] | boolean;
  readonly additionalItems?: JsonSchema | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly patternProperties?: { readonly [pattern: string]: JsonSchema };
  readonly additionalProperties?: JsonSchema | boolean;
  readonly unevaluatedProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly $id?: string;
  readonly $defs?: { readonly [name: string]: JsonSchema };
  readonly [keyword: string]: unknown;
}

/** A deep copy as plain JSON Schema, without the hidden properties of the library. */
export function jsonSchemaOf(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}

/** Applies `change` to `schema` and all schemas within it, innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const map = (inner: JsonSchema): JsonSchema => mapSchema(inner, change);
  const mapAll = (inner: { readonly [name: string]: JsonSchema }): { [name: string]: JsonSchema } =>
    Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, map(value)]));
  const result: { -readonly [K in keyof JsonSchema]: JsonSchema[K] } = { ...schema };
  if (schema.anyOf) result.anyOf = schema.anyOf.map(map);
  if (schema.allOf) result.allOf = schema.allOf.map(map);
  if (isSchemaList(schema.items)) result.items = schema.items.map(map);
  else if (typeof schema.items === 'object') result.items = map(schema.items);
  if (typeof schema.additionalItems === 'object') result.additionalItems = map(schema.additionalItems);
  if (schema.properties) result.properties = mapAll(schema.properties);
  if (schema.patternProperties) result.patternProperties = mapAll(schema.patternProperties);
  if (typeof schema.additionalProperties === 'object') result.additionalProperties = map(schema.additionalProperties);
  if (schema.$defs) result.$defs = mapAll(schema.$defs);
  return change(result);
}

/** True for a tuple, whose `items` has one schema per element. */
export function isSchemaList(items: JsonSchema['items']): items is readonly JsonSchema[] {
  return Array.isArray(items);
}

/** The accepted strings if the schema accepts only a fixed list of strings. */
export function stringChoices(schema: JsonSchema): readonly string[] | undefined {
  if (typeof schema.const === 'string') return [schema.const];
  if (schema.enum) return schema.enum.every((value) => typeof value === 'string') ? schema.enum : undefined;
  if (!schema.anyOf) return undefined;
  const choices: string[] = [];
  for (const branch of schema.anyOf) {
    const more = stringChoices(branch);
    if (!more) return undefined;
    choices.push(...more);
  }
  return choices;
}

/** Whether the schema accepts any string. */
export function takesStrings(schema: JsonSchema): boolean {
  if (schema.anyOf) return schema.anyOf.some(takesStrings);
  return schema.type === 'string' || stringChoices(schema) !== undefined;
}
