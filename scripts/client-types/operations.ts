/** Writes one function per operation of the contract, with the types of its parameters, its response and its errors. */

import { type Endpoint, errorCodesOf, otherResponseOf, responseSchemaOf } from '@heddle/api/contract.ts';
import { commonErrors, type ErrorCode, errorDefinitions, wireCodeOf } from '@heddle/api/errors.ts';
import type { JsonSchema } from '@heddle/api/json-schema.ts';
import { endpointsByName, exportsOf, namesOf } from './contract-names.ts';
import { commentOf, fieldsOf, keyOf, literal, typeOf, typeWithin, union, type Writing } from './typescript.ts';

/** The contract types these responses loosely, or `types.ts` has a name for them. */
const NAMED_RESPONSES: Readonly<Record<string, string>> = {
  'register-queue': '= InitialState;',
  'get-events': '{\nreadonly events: readonly ServerEvent[];\nreadonly queue_id: string;\n}',
};

/** Operations whose names are free for functions that do more. */
const RENAMED: Readonly<Record<string, string>> = { uploadFile: 'uploadWholeFile' };

/** The text of `client/src/calls/operations.ts`, not yet formatted. */
export async function writeOperations(): Promise<string> {
  const { schemas } = await exportsOf('objects');
  const used = new Set<string>();
  const find = namesOf(schemas);
  const nameOf = (schema: JsonSchema): string | undefined => {
    const name = find(schema);
    if (name !== undefined) used.add(name);
    return name;
  };
  const operations: string[] = [];
  const addresses: string[] = [];
  for (const [exported, endpoint] of await endpointsByName()) {
    // Other services call these, with requests of their own.
    if (endpoint.keyInUrl === 'bot') continue;
    const name = RENAMED[exported] ?? exported;
    if (responseSchemaOf(endpoint) !== undefined) operations.push(operation(name, endpoint, nameOf));
    else if (isAddress(endpoint)) addresses.push(address(name, endpoint, nameOf));
  }
  const types = [...used, 'InitialState', 'ServerEvent'].sort();
  return [
    '/** The operations of the API, one function each. `npm run generate` writes this file. */',
    "import { address, type NamedBlob, operation } from './operation.ts';",
    `import type { ${types.join(', ')} } from './types.ts';\n`,
    `/** Errors that every operation can return. */\nexport type CommonError = ${codesOf(commonErrors.always)};\n`,
    '/** Errors of every operation that needs an account. */',
    `export type AccountError = CommonError | ${codesOf([...commonErrors.authenticated, 'CSRF_FAILED'])};\n`,
    ...operations,
    '// URLs of files and pictures.\n',
    ...addresses,
  ].join('\n');
}

type NameOf = Writing['nameOf'];

function operation(name: string, endpoint: Endpoint, nameOf: NameOf): string {
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const { method, body } = endpoint;
  const takes = body?.takes;
  if (takes === 'bytes' || takes === 'protocol')
    throw new Error(`${endpoint.operationId}: the client cannot send this`);
  const parameters = parametersOf(endpoint, nameOf);
  const parameterType = parameters === '' ? 'Record<never, never>' : `${type}Parameters`;
  const response = responseOf(endpoint, nameOf);
  const responseType = response === undefined ? 'Record<never, never>' : `${type}Response`;
  const quoted = quotedOf(endpoint);
  const row = [method, rowPath(endpoint), ...(takes === undefined && quoted.length === 0 ? [] : [takes ?? 'form'])];
  const lists = quoted.length === 0 ? '' : `, [${quoted.map(literal).join(', ')}]`;
  return [
    parameters === '' ? '' : `export interface ${type}Parameters {\n${parameters}}\n`,
    response === undefined
      ? ''
      : `export ${response.startsWith('{') ? 'interface' : 'type'} ${type}Response ${response}\n`,
    `export type ${type}Error = ${errorsOf(endpoint)};\n`,
    commentOf([
      `${endpoint.summary}.`,
      endpoint.description,
      errorNotes(endpoint),
      endpoint.deprecated ? '@deprecated' : undefined,
    ]),
    `export const ${name} = /* @__PURE__ */ operation<${parameterType}, ${responseType}, ${type}Error>(${row.map(literal).join(', ')}${lists});\n`,
  ].join('');
}

/** Files and pictures of the organization, which have no other function. The files of pages are not for clients. */
export function isAddress(endpoint: Endpoint): boolean {
  if (endpoint.area === 'Pages' || endpoint.path.startsWith('/static/')) return false;
  const kind = otherResponseOf(endpoint)?.kind;
  return endpoint.outsideApi === true && endpoint.method === 'GET' && (kind === 'file' || kind === 'redirect');
}

function address(name: string, endpoint: Endpoint, nameOf: NameOf): string {
  const url = `${name.replace(/^get([A-Z])/, (_, first: string) => first.toLowerCase())}Url`;
  const parameters = parametersOf(endpoint, nameOf);
  const type = parameters === '' ? 'Record<never, never>' : `{\n${parameters}}`;
  return [
    commentOf([`${endpoint.summary} with this URL.`, endpoint.description]),
    `export const ${url} = /* @__PURE__ */ address<${type}>(${literal(rowPath(endpoint))});\n`,
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

function parametersOf({ parameters, body }: Endpoint, nameOf: NameOf): string {
  const writing: Writing = { nameOf, forParameters: true };
  const fields = Object.entries(parameters).map(([name, parameter]) => {
    const schema = parameter.schema as JsonSchema;
    const isOptional = parameter.presence === 'optional' || parameter.presence === 'defaulted';
    const description =
      parameter.description ?? (typeof schema.description === 'string' ? schema.description : undefined);
    const comment = commentOf([
      description,
      parameter.presence === 'defaulted' ? `Default: \`${JSON.stringify(parameter.default)}\`` : undefined,
      parameter.deprecated || schema.deprecated === true ? '@deprecated for older clients' : undefined,
    ]);
    const type = `${typeOf(schema, writing)}${isOptional ? ' | undefined' : ''}`;
    return `${comment}readonly ${keyOf(name)}${isOptional ? '?' : ''}: ${type};\n`;
  });
  const file = body === undefined ? '' : fileField(body.takes === 'file', body.description);
  return fields.join('') + file;
}

function fileField(isRequired: boolean, description: string | undefined): string {
  return `${commentOf([description])}readonly file${isRequired ? ': NamedBlob' : '?: NamedBlob | undefined'};\n`;
}

/** The type of the response. Undefined if it has no fields. */
function responseOf(endpoint: Endpoint, nameOf: NameOf): string | undefined {
  const named = NAMED_RESPONSES[endpoint.operationId];
  if (named !== undefined) return named;
  const schema = responseSchemaOf(endpoint) as JsonSchema;
  const writing: Writing = { nameOf };
  if (nameOf(schema) !== undefined || schema.type !== 'object' || schema.patternProperties !== undefined) {
    return `= ${typeWithin(schema, writing)};`;
  }
  const fields = fieldsOf(schema.properties ?? {}, schema.required ?? [], writing);
  return fields === '' ? undefined : `{\n${fields}}`;
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

function errorNotes({ errors }: Endpoint): string | undefined {
  if (errors.length === 0) return undefined;
  const notes = errors.map((code) => `\`${wireCodeOf(code)}\` (${errorDefinitions[code].status})`);
  return `Its own errors: ${[...new Set(notes)].join(', ')}.`;
}
