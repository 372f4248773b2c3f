/** Writes the objects, the initial state, the events and the errors of the contract as TypeScript types. */
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import { allEvents } from '@heddle/api/all-events.ts';
import { type Endpoint, responseSchemaOf } from '@heddle/api/contract.ts';
import { type ErrorCode, errorDefinitions, wireCodeOf } from '@heddle/api/errors.ts';
import type { JsonSchema } from '@heddle/api/json-schema.ts';
import { exportsOf, type NamedSchema, namesOf } from './contract-names.ts';
import { commentOf, fieldsOf, keyOf, literal, typeWithin, union, type Writing } from './typescript.ts';

/** The text of `client/src/calls/types.ts`, not yet formatted. */
export async function writeTypes(): Promise<string> {
  const objects = await exportsOf('objects');
  const events = await namedEvents();
  const writing: Writing = { nameOf: namesOf(objects.schemas) };
  return [
    '/** The objects of the API, the initial state, the events and the errors. `npm run generate` writes this file. */\n',
    ...objects.schemas.map((named) => declaration(named, writing)),
    ...objects.fields.map(({ name, fields, comment }) => {
      return `${commentOf([comment])}export interface ${name} {\n${fieldsOf(fields, Object.keys(fields), writing)}}\n`;
    }),
    initialState(await allEndpoints(), writing),
    ...events.map(({ named }) => declaration(named, writing)),
    eventTypes(events),
    errorTypes(writing),
  ].join('\n');
}

function declaration({ name, schema, comment }: NamedSchema, writing: Writing): string {
  const described = commentOf([comment ?? (typeof schema.description === 'string' ? schema.description : undefined)]);
  const type = typeWithin(schema, writing);
  const isInterface = schema.properties !== undefined && schema.anyOf === undefined;
  return isInterface
    ? `${described}export interface ${name} ${type}\n`
    : `${described}export type ${name} = ${type};\n`;
}

function initialState(endpoints: readonly Endpoint[], writing: Writing): string {
  const register = endpoints.find(({ operationId }) => operationId === 'register-queue');
  const schema = register && responseSchemaOf(register);
  if (schema === undefined) throw new Error('the contract has no register-queue');
  const comment =
    'The response of `POST /register`. The types of data that the client fetches decide which fields it has';
  return declaration({ name: 'InitialState', schema: schema as JsonSchema, comment: `${comment}.` }, writing);
}

interface NamedEvent {
  readonly type: string;
  readonly named: NamedSchema;
}

async function namedEvents(): Promise<readonly NamedEvent[]> {
  const { schemas } = await exportsOf('events');
  const types = new Map([...(await allEvents())].map(([type, schema]) => [schema as JsonSchema, type]));
  return schemas.flatMap((named) => {
    const type = types.get(named.schema);
    return type === undefined ? [] : [{ type, named }];
  });
}

function eventTypes(events: readonly NamedEvent[]): string {
  const fields = events.map(({ type, named }) => `readonly ${keyOf(type)}: ${named.name};\n`);
  return `/** The events by their \`type\`. */
export interface EventsByType {\n${fields.join('')}}

/** The type of an event, for example \`message\`. */
export type EventType = keyof EventsByType;

/** The events of one type: \`EventOfType<'message'>\`. */
export type EventOfType<Type extends EventType> = EventsByType[Type];

/** An event that a client polls. Newer servers also send types that are not listed here; ignore those. */
export type ServerEvent = EventsByType[EventType];
`;
}

/** Several errors of the contract can share a code on the wire. Then each of their fields is optional. */
function errorTypes(writing: Writing): string {
  const codes = Map.groupBy(Object.keys(errorDefinitions) as ErrorCode[], wireCodeOf);
  const fields = [...codes].map(([code, some]) => {
    const definitions = some.map((name) => errorDefinitions[name]);
    const extra: { [name: string]: JsonSchema } = Object.assign({}, ...definitions.map((one) => one.extra));
    const required = some.length === 1 ? Object.keys(extra).filter((name) => !isOptional(extra[name])) : [];
    const type = Object.keys(extra).length === 0 ? 'NoFields' : `{\n${fieldsOf(extra, required, writing)}}`;
    const comment = commentOf(definitions.map(({ description, status }) => `Status ${status}. ${description}`));
    return `${comment}readonly ${keyOf(code)}: ${type};\n`;
  });
  return `/** No fields. */
export interface NoFields {\nreadonly [field: string]: never;\n}

/** The fields of each error besides \`result\`, \`msg\` and \`code\`. */
export interface ErrorFields {\n${fields.join('')}}

/** The codes of errors in responses. */
export type ErrorCode = ${union([...codes.keys()].map(literal))};
`;
}

function isOptional(schema: JsonSchema | undefined): boolean {
  return schema !== undefined && '~optional' in schema;
}
