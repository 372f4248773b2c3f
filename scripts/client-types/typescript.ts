/** Schemas of the contract as the text of TypeScript types. */
import { isSchemaList, type JsonSchema } from '@heddle/api/json-schema.ts';

export interface Writing {
  /** The name of a type that is declared elsewhere. Undefined for a schema without a name. */
  readonly nameOf: (schema: JsonSchema) => string | undefined;
  /** True for parameters: callers may pass `undefined`, which is left out. */
  readonly forParameters?: boolean;
}

/** Tuples with more elements are written as lists. */
const MAX_TUPLE_ELEMENTS = 4;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** The type of the values that `schema` accepts, or its name. */
export function typeOf(schema: JsonSchema, writing: Writing): string {
  return writing.nameOf(schema) ?? typeWithin(schema, writing);
}

/** The type of the values that `schema` accepts, without its own name. */
export function typeWithin(schema: JsonSchema, writing: Writing): string {
  if (schema.anyOf) return union(schema.anyOf.map((branch) => typeOf(branch, writing)));
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part, writing)})`).join(' & ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listType(schema, writing);
    case 'object':
      return objectType(schema, writing);
    default:
      return 'unknown';
  }
}

/** The fields of an object type, one per line, without braces. */
export function fieldsOf(
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[],
  writing: Writing,
): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = typeOf(schema, writing);
    const absent = !isRequired && writing.forParameters ? ' | undefined' : '';
    return `${commentOf(notesOf(schema))}readonly ${keyOf(name)}${isRequired ? '' : '?'}: ${type}${absent};\n`;
  });
  return fields.join('');
}

/** A name in an object type, in quotes if it needs them. */
export function keyOf(name: string): string {
  return IDENTIFIER.test(name) ? name : literal(name);
}

/** A value as a literal type. */
export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : `${value}`;
}

/** A documentation comment with these paragraphs. Empty without any. */
export function commentOf(paragraphs: readonly (string | undefined)[]): string {
  const lines = paragraphs.filter((paragraph) => paragraph !== undefined && paragraph !== '').flatMap(wrapped);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

/** What a documentation comment says about a schema. */
function notesOf({ description, deprecated }: JsonSchema): readonly (string | undefined)[] {
  return [
    typeof description === 'string' ? description : undefined,
    deprecated === true ? '@deprecated for older clients' : undefined,
  ];
}

const MAX_COMMENT_CHARACTERS = 112;

function wrapped(paragraph: string | undefined): readonly string[] {
  const lines: string[] = [];
  // A comment must not end within a description.
  for (const word of (paragraph ?? '').replaceAll('*/', '*\\/').split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < MAX_COMMENT_CHARACTERS)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

function listType({ items, minItems, maxItems }: JsonSchema, writing: Writing): string {
  if (isSchemaList(items)) return `readonly [${items.map((item) => typeOf(item, writing)).join(', ')}]`;
  const item = typeof items === 'object' ? typeOf(items, writing) : 'unknown';
  if (minItems !== undefined && minItems === maxItems && minItems > 0 && minItems <= MAX_TUPLE_ELEMENTS) {
    return `readonly [${Array(minItems).fill(item).join(', ')}]`;
  }
  return IDENTIFIER.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function objectType(schema: JsonSchema, writing: Writing): string {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const ofPattern = Object.values(patternProperties ?? {}).map((value) => typeOf(value, writing));
  if (ofPattern.length > 0) return `{ readonly [key: string]: ${union(ofPattern)} }`;
  const fields = fieldsOf(properties, required, writing);
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties, writing) : 'unknown';
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (fields === '' || isOpen) return `{\n${fields}readonly [key: string]: ${others};\n}`;
  return `{\n${fields}}`;
}
