/** Writes one function per operation of the contract, with the types of its parameters, its response and its errors. */

import { type Endpoint, errorCodesOf, otherResponseOf, responseSchemaOf } from '@heddle/api/contract.ts';
import { commonErrors, type ErrorCode, wireCodeOf } from '@heddle/api/errors.ts';
import type { JsonSchema } from '@heddle/api/json-schema.ts';
import { endpointsByName, exportsOf, namesOf } from './contract-names.ts';
import { EXAMPLES } from './examples.ts';
import type { Field } from './shapes.ts';
import { shapesOf } from './types.ts';
import {
  commentOf,
  declared,
  fieldsOf,
  inlineType,
  literal,
  typeOf,
  typeWithin,
  union,
  type Writing,
} from './typescript.ts';

/** The contract types these responses loosely, or `types.ts` has a name for them. */
const NAMED_RESPONSES: Readonly<Record<string, string>> = {
  'register-queue': '= InitialState;',
  'get-events': '{\nreadonly events: readonly ServerEvent[];\nreadonly queue_id: string;\n}',
};

/** As `biome.json` has it for the generated files. */
const LINE_LENGTH_CHARACTERS = 170;

/** Operations whose names are free for functions that do more. */
const RENAMED: Readonly<Record<string, string>> = { uploadFile: 'uploadWholeFile' };

/** The functions of `operation.ts` that make operations, by method. `delete` is a word of the language. */
const FUNCTIONS: Readonly<Partial<Record<Endpoint['method'], string>>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'remove',
};

/** The text of `client/src/calls/operations.ts`, not yet formatted. */
export async function writeOperations(): Promise<string> {
  const objects = await exportsOf('objects');
  const writing: Writing = { nameOf: namesOf(objects.schemas), shapes: shapesOf(objects) };
  const context: Context = { writing, names: new Map() };
  const operations: string[] = [];
  const addresses: string[] = [];
  for (const [exported, endpoint] of await endpointsByName()) {
    // Other services call these, with requests of their own.
    if (endpoint.keyInUrl === 'bot') continue;
    const name = RENAMED[exported] ?? exported;
    if (responseSchemaOf(endpoint) !== undefined) operations.push(operation(name, endpoint, context));
    else if (isAddress(endpoint)) addresses.push(address(name, endpoint, writing));
  }
  const texts = [...operations, ...addresses];
  const declaredNames = [...objects.schemas.map(({ name }) => name), ...(writing.shapes ?? []).map(({ name }) => name)];
  const types = namesIn(texts, [...declaredNames, 'InitialState', 'ServerEvent']);
  const helpers = namesIn(texts, ['Optional', 'OptionalValues', 'Prefixed']);
  return [
    '/** The operations of the API, one function each. `npm run generate` writes this file. */',
    "import { address, get, type NamedBlob, type None, patch, post, put, remove } from './operation.ts';",
    helpers.length === 0 ? '' : `import type { ${helpers.join(', ')} } from './shapes.ts';`,
    `// biome-ignore format: a line for each name would be most of a screen\nimport type {\n${inLines(types)}\n} from './types.ts';\n`,
    `/** Errors that every operation can return. */\nexport type CommonError = ${codesOf(commonErrors.always)};\n`,
    '/** Errors of every operation that needs an account. */',
    `export type AccountError = CommonError | ${codesOf([...commonErrors.authenticated, 'CSRF_FAILED'])};\n`,
    ...operations,
    '// URLs of files and pictures.\n',
    ...addresses,
  ].join('\n');
}

/** The names in lines of the width of the generated files. */
function inLines(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length + 2 <= LINE_LENGTH_CHARACTERS)
      lines.splice(-1, 1, `${last} ${name},`);
    else lines.push(`  ${name},`);
  }
  return lines.join('\n');
}

/** The names that occur in a text, sorted. */
function namesIn(texts: readonly string[], names: readonly string[]): readonly string[] {
  const words = new Set(
    texts.flatMap((text) => text.replaceAll(/\/\*\*[\s\S]*?\*\/|'[^'\n]*'/g, '').match(/\w+/g) ?? []),
  );
  return [...new Set(names)].filter((name) => words.has(name)).sort();
}

interface Context {
  readonly writing: Writing;
  /** The names of the types that are written, by area and fields. */
  readonly names: Map<string, string>;
}

function operation(name: string, endpoint: Endpoint, context: Context): string {
  const { writing } = context;
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const { method, body } = endpoint;
  const takes = body?.takes;
  const makes = FUNCTIONS[method];
  if (takes === 'bytes' || takes === 'protocol' || makes === undefined)
    throw new Error(`${endpoint.operationId}: the client cannot send this`);
  const parameters = parametersOf(endpoint, writing);
  const response = responseOf(`${type}Response`, endpoint, context);
  const types = [
    parameters.length === 0 ? 'None' : `${type}Parameters`,
    response === undefined ? 'None' : `${type}Response`,
    `${type}Error`,
  ];
  const quoted = quotedOf(endpoint);
  const row = [rowPath(endpoint), ...(takes === undefined && quoted.length === 0 ? [] : [takes ?? 'form'])];
  const lists = quoted.length === 0 ? '' : `, [${quoted.map(literal).join(', ')}]`;
  return [
    parameters.length === 0
      ? ''
      : declaredOnce(`${type}Parameters`, parameters, endpoint, {
          ...context,
          writing: { ...writing, forParameters: true },
        }),
    response ?? '',
    `export type ${type}Error = ${errorsOf(endpoint)};\n`,
    commentOf([
      `${endpoint.summary}.`,
      endpoint.description,
      endpoint.deprecated ? '@deprecated' : undefined,
      EXAMPLES[name] && `@example\n${EXAMPLES[name]}`,
    ]),
    `export const ${name} = ${makes}<${types.join(', ')}>(${row.map(literal).join(', ')}${lists});\n`,
  ].join('');
}

/** Files and pictures of the organization, which have no other function. The files of pages are not for clients. */
export function isAddress(endpoint: Endpoint): boolean {
  if (endpoint.area === 'Pages' || endpoint.path.startsWith('/static/')) return false;
  const kind = otherResponseOf(endpoint)?.kind;
  return endpoint.outsideApi === true && endpoint.method === 'GET' && (kind === 'file' || kind === 'redirect');
}

function address(name: string, endpoint: Endpoint, writing: Writing): string {
  const url = `${name.replace(/^get([A-Z])/, (_, first: string) => first.toLowerCase())}Url`;
  const parameters = parametersOf(endpoint, writing);
  const type = parameters.length === 0 ? 'None' : inlineType(parameters, { ...writing, forParameters: true });
  return [
    commentOf([`${endpoint.summary} with this URL.`, endpoint.description]),
    `export const ${url} = address<${type}>(${literal(rowPath(endpoint))});\n`,
  ].join('');
}

/**
 * Parameters that take any string, or lists and objects as JSON. The string `[7]` would mean a list. For example, messages
 * go to a channel with this name, or to the user 7.
 */
export function quotedOf({ parameters }: Endpoint): readonly string[] {
  return Object.entries(parameters).flatMap(([name, { schema, presence }]) => {
    const { anyOf = [] } = schema as JsonSchema;
    const isMixed = anyOf.some(isAnyString) && anyOf.some(({ type }) => type === 'array' || type === 'object');
    return isMixed && presence !== 'path' ? [name] : [];
  });
}

function isAnyString(schema: JsonSchema): boolean {
  return schema.type === 'string' && schema.const === undefined;
}

/** The path with `{+name}` for a parameter that is the rest of the path, as in RFC 6570. */
export function rowPath({ path, parameters }: Endpoint): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (parameters[name]?.restOfPath ? `{+${name}}` : whole));
}

function parametersOf({ parameters, body }: Endpoint, common: Writing): readonly Field[] {
  const writing: Writing = { ...common, forParameters: true };
  const fields = Object.entries(parameters).map(([name, parameter]) => {
    const schema = parameter.schema as JsonSchema;
    const isOptional = parameter.presence === 'optional' || parameter.presence === 'defaulted';
    const description = parameter.description ?? schema.description;
    const notes = [
      typeof description === 'string' ? description : '',
      parameter.presence === 'defaulted' ? `Default: \`${JSON.stringify(parameter.default)}\`` : '',
      parameter.deprecated || schema.deprecated === true ? '@deprecated for older clients' : '',
    ];
    return { name, notes: notes.filter((note) => note !== ''), type: typeOf(schema, writing), isOptional };
  });
  return body === undefined ? fields : [...fields, fileField(body.takes === 'file', body.description)];
}

/** Operations of an area often have the same fields. Then the later type is another name of the first. */
function declaredOnce(name: string, fields: readonly Field[], { area }: Endpoint, context: Context): string {
  const key = JSON.stringify([area, context.writing.forParameters ?? false, fields]);
  const same = context.names.get(key);
  if (same !== undefined) return `export type ${name} = ${same};\n`;
  const isOneLine = fields.length === 1 && fields[0]?.notes.length === 0;
  if (!isOneLine) context.names.set(key, name);
  return declared(name, fields, context.writing);
}

function fileField(isRequired: boolean, description: string | undefined): Field {
  const notes = description === undefined ? [] : [description];
  return { name: 'file', notes, type: 'NamedBlob', isOptional: !isRequired };
}

/** Declares the response. Undefined if it has no fields. */
function responseOf(name: string, endpoint: Endpoint, context: Context): string | undefined {
  const { writing } = context;
  const named = NAMED_RESPONSES[endpoint.operationId];
  if (named !== undefined) return `export ${named.startsWith('{') ? 'interface' : 'type'} ${name} ${named}\n`;
  const schema = responseSchemaOf(endpoint) as JsonSchema;
  if (writing.nameOf(schema) !== undefined || schema.type !== 'object' || schema.patternProperties !== undefined) {
    return `export type ${name} = ${typeWithin(schema, writing)};\n`;
  }
  const fields = fieldsOf(schema.properties ?? {}, schema.required ?? [], writing);
  if (fields.length === 0) return undefined;
  return declaredOnce(name, fields, endpoint, context);
}

/** All codes of an operation, with short names for those of many. */
function errorsOf(endpoint: Endpoint): string {
  const codes = new Set(errorCodesOf(endpoint).map(wireCodeOf));
  const without = (some: readonly ErrorCode[]): void => {
    for (const code of some) codes.delete(wireCodeOf(code));
  };
  const hasAccountErrors = [...commonErrors.authenticated, 'CSRF_FAILED' as const].every((code) =>
    codes.has(wireCodeOf(code)),
  );
  without(commonErrors.always);
  if (hasAccountErrors) without([...commonErrors.authenticated, 'CSRF_FAILED']);
  return union([hasAccountErrors ? 'AccountError' : 'CommonError', ...[...codes].map(literal)]);
}

function codesOf(codes: readonly ErrorCode[]): string {
  return union(codes.map((code) => literal(wireCodeOf(code))));
}
