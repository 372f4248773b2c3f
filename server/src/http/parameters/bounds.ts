import { invalidParameter } from '@heddle/api/errors.ts';
import { isSchemaList, type JsonSchema } from '@heddle/api/json-schema.ts';

/** Throws for a list or a text that is longer than its schema allows. */
export type CheckBounds = (value: unknown, name: string) => void;

/** The bounds of a value that one of several schemas accepts: the most generous of them. */
interface Bounds {
  readonly maxItems: number;
  readonly maxLength: number;
  readonly maxProperties: number;
  readonly items: Bounds | undefined;
  readonly properties: ReadonlyMap<string, Bounds>;
  /** Of properties whose names the client chooses. */
  readonly others: Bounds | undefined;
}

/**
 * A check of lengths that visits nothing inside a list or text that is too long. It runs before the check of the schema, which would walk
 * the whole value first.
 */
export function compileBounds(schema: JsonSchema): CheckBounds {
  const bounds = boundsOf([schema]);
  return bounds === undefined ? () => {} : (value, name) => check(bounds, value, name);
}

/** Undefined if nothing is bounded. */
function boundsOf(schemas: readonly JsonSchema[]): Bounds | undefined {
  if (schemas.length === 0) return undefined;
  const branches = schemas.flatMap(branchesOf);
  const lists = branches.filter(({ type }) => type === 'array');
  const objects = branches.filter(({ type }) => type === 'object');
  const items = lists.flatMap(({ items: inner }): readonly JsonSchema[] => {
    if (isSchemaList(inner)) return inner;
    return typeof inner === 'object' ? [inner] : [];
  });
  const properties = new Map<string, Bounds>();
  for (const name of new Set(objects.flatMap((object) => Object.keys(object.properties ?? {})))) {
    const inner = boundsOf(objects.map((object) => object.properties?.[name]).filter((schema) => schema !== undefined));
    if (inner !== undefined) properties.set(name, inner);
  }
  const others = objects.flatMap(({ patternProperties = {}, additionalProperties }): readonly JsonSchema[] => {
    const named = Object.values<JsonSchema>(patternProperties);
    return typeof additionalProperties === 'object' ? [...named, additionalProperties] : named;
  });
  const bounds: Bounds = {
    maxItems: most(lists, 'maxItems'),
    maxLength: most(
      branches.filter((branch) => branch.type === 'string' && branch.const === undefined),
      'maxLength',
    ),
    maxProperties: most(objects, 'maxProperties'),
    items: boundsOf(items),
    properties,
    others: boundsOf(others),
  };
  const isBounded =
    Math.min(bounds.maxItems, bounds.maxLength, bounds.maxProperties) < Infinity ||
    bounds.items !== undefined ||
    bounds.others !== undefined ||
    properties.size > 0;
  return isBounded ? bounds : undefined;
}

function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  const parts = schema.anyOf ?? schema.allOf;
  return parts === undefined ? [schema] : parts.flatMap(branchesOf);
}

function most(schemas: readonly JsonSchema[], keyword: 'maxItems' | 'maxLength' | 'maxProperties'): number {
  if (schemas.length === 0) return Infinity;
  return Math.max(...schemas.map((schema) => schema[keyword] ?? Infinity));
}

function check(bounds: Bounds, value: unknown, name: string): void {
  if (typeof value === 'string') {
    if (isLonger(value, bounds.maxLength)) {
      throw invalidParameter(name, `is too long (limit: ${bounds.maxLength} characters)`);
    }
  } else if (Array.isArray(value)) {
    if (value.length > bounds.maxItems) throw invalidParameter(name, `is too long (limit: ${bounds.maxItems} items)`);
    const { items } = bounds;
    if (items === undefined) return;
    for (let index = 0; index < value.length; index++) check(items, value[index], `${name}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    checkObject(bounds, value, name);
  }
}

function checkObject({ properties, others, maxProperties }: Bounds, object: object, name: string): void {
  const fields = object as Readonly<Record<string, unknown>>;
  if (maxProperties < Infinity && Object.keys(fields).length > maxProperties) {
    throw invalidParameter(name, `is too long (limit: ${maxProperties} fields)`);
  }
  for (const [field, inner] of properties) {
    if (Object.hasOwn(fields, field)) check(inner, fields[field], `${name}[${JSON.stringify(field)}]`);
  }
  if (others === undefined) return;
  for (const [field, content] of Object.entries(fields)) {
    if (!properties.has(field)) check(others, content, `${name}[${JSON.stringify(field)}]`);
  }
}

const FIRST_HIGH_SURROGATE_CODE = 0xd800;
const FIRST_LOW_SURROGATE_CODE = 0xdc00;

/**
 * Counts characters (code points), while JavaScript counts UTF-16 units. The text fits if it has as many surrogate pairs as units too many.
 */
function isLonger(text: string, limit: number): boolean {
  let excess = text.length - limit;
  if (excess <= 0 || excess > limit) return excess > 0;
  for (let at = 0; at < text.length - 1; at++) {
    if (!isBetween(text.charCodeAt(at), FIRST_HIGH_SURROGATE_CODE)) continue;
    if (!isBetween(text.charCodeAt(at + 1), FIRST_LOW_SURROGATE_CODE)) continue;
    if (--excess === 0) return false;
    at++;
  }
  return true;
}

/** Whether the code is one of the 1,024 codes from `first` on. */
function isBetween(code: number, first: number): boolean {
  return code >= first && code < first + 1024;
}
