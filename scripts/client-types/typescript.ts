/** Schemas of the contract as the text of TypeScript types. */
import { isSchemaList, type JsonSchema } from '@heddle/api/json-schema.ts';
import { type Composed, composed, type Field, type Shape, shapeWithNames, smallerShapes } from './shapes.ts';

export interface Writing {
  /** The name of a type that is declared elsewhere. Undefined for a schema without a name. */
  readonly nameOf: (schema: JsonSchema) => string | undefined;
  /** True for parameters: callers may pass `undefined`, which is left out. */
  readonly forParameters?: boolean;
  /** Declared types whose fields others can have. */
  readonly shapes?: readonly Shape[];
  /** Whether objects with `id` and `type` are events. */
  readonly areEvents?: boolean;
}

/** Tuples with more elements are written as lists. */
const MAX_TUPLE_ELEMENTS = 4;
/** Larger types within others have one field per line. */
const MAX_INLINE_FIELDS = 3;
/** Branches of a union repeat fewer common fields. */
const MIN_COMMON_FIELDS = 2;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** The type of the values that `schema` accepts, or its name. */
export function typeOf(schema: JsonSchema, writing: Writing): string {
  return writing.nameOf(schema) ?? typeWithin(schema, writing);
}

/** The type of the values that `schema` accepts, without its own name. */
export function typeWithin(schema: JsonSchema, writing: Writing): string {
  if (schema.anyOf) return unionType(schema.anyOf, writing);
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part, writing)})`).join(' & ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return literals(schema.enum, writing);
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

/** The fields of an object type. */
export function fieldsOf(
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[],
  writing: Writing,
): readonly Field[] {
  return Object.entries(properties).map(([name, schema]) => {
    return { name, notes: notesOf(schema), type: typeOf(schema, writing), isOptional: !required.includes(name) };
  });
}

/** Declares an object type with these fields. One field without a comment is a line. */
export function declared(name: string, fields: readonly Field[], writing: Writing): string {
  const shapes = smallerShapes(name, writing.shapes ?? []);
  const { bases, own } = composedOf(fields, { ...writing, shapes });
  if (own.length === 0 && bases.length > 0) return `export type ${name} = ${bases.join(' & ')};\n`;
  const [only] = own;
  if (bases.length === 0 && own.length === 1 && only?.notes.length === 0) {
    return `export type ${name} = ${braced(own, writing)};\n`;
  }
  const parents = bases.length === 0 ? '' : ` extends ${bases.join(', ')}`;
  return `export interface ${name}${parents} {\n${lines(own, writing)}}\n`;
}

/** The type of an object with these fields, for a place within another type. */
export function inlineType(fields: readonly Field[], writing: Writing): string {
  const { bases, own } = composedOf(fields, writing);
  if (own.length === 0 && bases.length > 0) return bases.join(' & ');
  return [...bases, braced(own, writing)].join(' & ');
}

/** Fields with the same long type have it once. The formatter puts a small type without comments into one line. */
function braced(fields: readonly Field[], writing: Writing): string {
  const text = lines(fields, writing);
  const [first] = fields;
  const areAlike = fields.every(
    ({ type, notes, isOptional }) => type === first?.type && !isOptional && notes.length === 0,
  );
  if (areAlike && first?.type.includes('\n') && fields.length > 1) {
    return `Readonly<Record<${union(fields.map(({ name }) => literal(name)))}, ${first.type}>>`;
  }
  const isSmall = fields.length <= MAX_INLINE_FIELDS && text.split('\n').length === fields.length + 1;
  return isSmall ? `{ ${text.replaceAll('\n', ' ')}}` : `{\n${text}}`;
}

function composedOf(fields: readonly Field[], writing: Writing): Composed {
  const { shapes = [], forParameters = false, areEvents = false } = writing;
  const type = fields.find(({ name }) => name === 'type')?.type;
  const isEvent = areEvents && type?.startsWith("'") && fields.some(({ name }) => name === 'id');
  const others = isEvent ? fields.filter(({ name }) => name !== 'id' && name !== 'type') : fields;
  const { bases, own } = composed(others, shapes, forParameters);
  return { bases: isEvent ? [`EventBase<${type}>`, ...bases] : bases, own };
}

/** One line per field, after its comment. */
function lines(fields: readonly Field[], { forParameters }: Writing): string {
  const texts = fields.map(({ name, notes, type, isOptional }) => {
    const absent = isOptional && forParameters ? ' | undefined' : '';
    return `${commentOf(notes)}readonly ${keyOf(name)}${isOptional ? '?' : ''}: ${type}${absent};\n`;
  });
  return texts.join('');
}

/** A name in an object type, in quotes if it needs them. */
export function keyOf(name: string): string {
  return IDENTIFIER.test(name) ? name : literal(name);
}

/** A value as a literal type. */
export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : `${value}`;
}

/** A documentation comment with these paragraphs, which follow each other in a line. Tags have lines of their own. */
export function commentOf(paragraphs: readonly (string | undefined)[]): string {
  const present = paragraphs.flatMap((paragraph) => paragraph || []);
  const [tags, texts] = [
    present.filter((text) => text.startsWith('@')),
    present.filter((text) => !text.startsWith('@')),
  ];
  const sentences = texts.map((text, index) => (index < texts.length - 1 && !/[.!?]$/.test(text) ? `${text}.` : text));
  const lines = wrapped(sentences.join(' '));
  const written = inOneLine(lines, tags) ?? [...lines, ...tags.flatMap((tag) => tag.split('\n'))];
  if (written.length === 0) return '';
  if (written.length === 1) return `/** ${written[0]} */\n`;
  return `/**\n${written.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Editors know `@deprecated` only at the beginning, so the text follows it. */
function inOneLine(lines: readonly string[], tags: readonly string[]): readonly string[] | undefined {
  const [[line = ''], [tag = '']] = [lines, tags];
  const isShort = line.length + tag.length < MAX_COMMENT_CHARACTERS;
  if (lines.length !== 1 || tags.length !== 1 || !tag.startsWith('@deprecated') || !isShort) return undefined;
  return [`${tag}${tag.includes(' ') ? '.' : ''} ${line}`];
}

/** What a documentation comment says about a schema. */
function notesOf({ description, deprecated }: JsonSchema): readonly string[] {
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...(deprecated === true ? ['@deprecated for older clients'] : []),
  ];
}

const MAX_COMMENT_CHARACTERS = 132;

function wrapped(text: string): readonly string[] {
  if (text === '') return [];
  const result: string[] = [];
  // A comment must not end within a description.
  for (const word of text.replaceAll('*/', '*\\/').split(/\s+/)) {
    const last = result.at(-1);
    if (last !== undefined && last.length + word.length < MAX_COMMENT_CHARACTERS)
      result[result.length - 1] = `${last} ${word}`;
    else result.push(word);
  }
  return result;
}

export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

/** Objects that differ only in some fields have the common ones once. */
function unionType(branches: readonly JsonSchema[], writing: Writing): string {
  if (branches.every(({ const: value }) => value !== undefined)) {
    return literals(
      branches.map(({ const: value }) => value),
      writing,
    );
  }
  const areObjects =
    branches.length > 1 && branches.every((branch) => isPlainObject(branch) && writing.nameOf(branch) === undefined);
  if (!areObjects) return union(branches.map((branch) => typeOf(branch, writing)));
  return unionOfObjects(
    branches.map(({ properties = {}, required = [] }) => fieldsOf(properties, required, writing)),
    writing,
  );
}

function literals(values: readonly unknown[], { shapes = [] }: Writing): string {
  const shape = shapeWithNames(values.map(String), shapes);
  return shape === undefined ? union(values.map(literal)) : `keyof ${shape.name}`;
}

/** Whether a schema describes objects with known fields and no others. */
export function isPlainObject(schema: JsonSchema): boolean {
  const { properties, patternProperties, additionalProperties = false, anyOf } = schema;
  return properties !== undefined && anyOf === undefined && !patternProperties && additionalProperties === false;
}

type Branch = readonly Field[];

function unionOfObjects(branches: readonly Branch[], writing: Writing): string {
  const { common, rests } = split(branches);
  const isShared = common.length >= MIN_COMMON_FIELDS && rests.every((fields) => fields.length > 0);
  const groups = byOperation(isShared ? rests : branches).map((group) => groupType(group, writing));
  return isShared ? `${inlineType(common, writing)} & (${union(groups)})` : union(groups);
}

/** Several branches with enough common fields have them once. */
function groupType(group: readonly Branch[], writing: Writing): string {
  const { common, rests } = split(group);
  const isShared =
    group.length > MIN_COMMON_FIELDS &&
    common.length >= MIN_COMMON_FIELDS &&
    rests.every((fields) => fields.length > 0);
  return isShared ? `(${unionOfObjects(group, writing)})` : union(group.map((fields) => inlineType(fields, writing)));
}

/** The fields that all branches have with the same type and comment, and the other fields of each. */
function split(branches: readonly Branch[]): { readonly common: Branch; readonly rests: readonly Branch[] } {
  const keys = branches.map((fields) => new Set(fields.map((field) => JSON.stringify(field))));
  const common = (branches[0] ?? []).filter((field) => keys.every((names) => names.has(JSON.stringify(field))));
  const names = new Set(common.map(({ name }) => name));
  return { common, rests: branches.map((fields) => fields.filter(({ name }) => !names.has(name))) };
}

/** Consecutive branches with the same `op`. */
function byOperation(branches: readonly Branch[]): readonly (readonly Branch[])[] {
  const groups: Branch[][] = [];
  const operationOf = (fields: Branch = []) => fields.find(({ name }) => name === 'op')?.type;
  for (const branch of branches) {
    const last = groups.at(-1);
    const operation = operationOf(branch);
    if (last !== undefined && operation !== undefined && operationOf(last[0]) === operation) last.push(branch);
    else groups.push([branch]);
  }
  return groups;
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
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (fields.length > 0 && !isOpen) return inlineType(fields, writing);
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties, writing) : 'unknown';
  return fields.length === 0
    ? `{ readonly [key: string]: ${others} }`
    : `{\n${lines(fields, writing)}readonly [key: string]: ${others};\n}`;
}
