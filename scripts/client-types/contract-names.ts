/** The schemas that the contract exports, and the names of their types. */
import { readdir, readFile } from 'node:fs/promises';
import type { Endpoint } from '@heddle/api/contract.ts';
import { isSchemaList, type JsonSchema } from '@heddle/api/json-schema.ts';

/** A schema with the name that the client's types give it. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The comment of the export. */
  readonly comment: string | undefined;
}

/** The fields of several objects of the contract, such as the settings of a user. All are required. */
export interface NamedFields {
  readonly name: string;
  readonly fields: { readonly [name: string]: JsonSchema };
  readonly comment: string | undefined;
}

export interface Exported {
  readonly schemas: readonly NamedSchema[];
  readonly fields: readonly NamedFields[];
}

const contract = new URL('../../api/src/', import.meta.url);

/** The endpoints by the names of their exports, ordered by file. */
export async function endpointsByName(): Promise<ReadonlyMap<string, Endpoint>> {
  const names = new Map<string, Endpoint>();
  for (const { module, order } of await modulesOf('endpoints')) {
    for (const name of inOrder(Object.keys(module), order)) {
      const value = module[name];
      if (isEndpoint(value)) names.set(name, value);
    }
  }
  return names;
}

/** The exports of a folder of the contract, in the order of its files. */
export async function exportsOf(folder: string): Promise<Exported> {
  const schemas: NamedSchema[] = [];
  const fields: NamedFields[] = [];
  for (const { module, order, text } of await modulesOf(folder)) {
    for (const exported of inOrder(Object.keys(module), order)) {
      const value = module[exported];
      const name = typeNameOf(exported);
      const comment = text.get(exported);
      if (isSchema(value)) schemas.push({ name, schema: value, comment });
      else if (isFields(value)) fields.push({ name, fields: value, comment });
    }
  }
  return { schemas, fields };
}

interface ReadModule extends Comments {
  readonly module: Readonly<Record<string, unknown>>;
}

/** The modules of a folder of the contract, in the order of their names. */
async function modulesOf(folder: string): Promise<readonly ReadModule[]> {
  const directory = new URL(`${folder}/`, contract);
  const files = (await readdir(directory)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return Promise.all(
    files.sort().map(async (file) => {
      const url = new URL(file, directory);
      return { module: await import(url.href), ...commentsIn(await readFile(url, 'utf8')) };
    }),
  );
}

/** A module lists its exports by name. Their order in the file is better to read. */
function inOrder(names: readonly string[], order: ReadonlyMap<string, number>): readonly string[] {
  return names.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

/** Old words of the wire in names of the contract, with our words. */
const OUR_WORDS = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['realm', 'organization'],
]);

/** The name of a type for an export of the contract: `streamEvent` is `ChannelEvent`. */
export function typeNameOf(exported: string): string {
  const words = exported.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').split(' ');
  return words
    .map((word) => OUR_WORDS.get(word.toLowerCase()) ?? word)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/**
 * Returns a function that finds the name of a schema. The contract uses a schema by reference, or as a copy that only
 * adds that it is optional. A copy is found by its content, unless its content is so simple that others have it too.
 */
export function namesOf(schemas: readonly NamedSchema[]): (schema: JsonSchema) => string | undefined {
  const byReference = new Map(schemas.map(({ schema, name }) => [schema, name]));
  const byContent = new Map<string, string>();
  for (const { schema, name } of schemas) {
    const content = JSON.stringify(schema);
    if (isDistinct(schema) && !byContent.has(content)) byContent.set(content, name);
  }
  return (schema) => byReference.get(schema) ?? byContent.get(JSON.stringify(schema));
}

/** Whether another schema with the same content surely means the same: it has fields or constants. */
function isDistinct(schema: JsonSchema): boolean {
  if (schema.properties !== undefined || schema.const !== undefined) return true;
  if (typeof schema.items === 'object' && !isSchemaList(schema.items)) return isDistinct(schema.items);
  if (schema.patternProperties) return Object.values(schema.patternProperties).some(isDistinct);
  return schema.anyOf?.some(isDistinct) ?? false;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && '~kind' in value;
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'operationId' in value && 'path' in value;
}

function isFields(value: unknown): value is { readonly [name: string]: JsonSchema } {
  if (typeof value !== 'object' || value === null) return false;
  const values = Object.values(value);
  return values.length > 0 && values.every(isSchema);
}

interface Comments {
  readonly text: ReadonlyMap<string, string>;
  /** Where each export stands in its file. */
  readonly order: ReadonlyMap<string, number>;
}

/** The comments directly above the exported constants of a file. */
function commentsIn(source: string): Comments {
  const text = new Map<string, string>();
  const order = new Map<string, number>();
  for (const match of source.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export const (\w+)/g)) {
    const [, comment, name = ''] = match;
    order.set(name, match.index);
    if (comment === undefined) continue;
    text.set(name, withoutReferences(comment.replaceAll(/^\s*\* ?/gm, '').trim()));
  }
  return { text, order };
}

/** Leaves out references to the documents of this repository, which readers of the package do not have. */
function withoutReferences(comment: string): string {
  return comment.replaceAll(/ \((?:interface document|public reference)[^()]*(?:\([^()]*\)[^()]*)*\)/g, '');
}
