/** Writes the objects, the initial state, the events and the errors of the contract as TypeScript types. */
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import { allEvents } from '@heddle/api/all-events.ts';
import { type Endpoint, responseSchemaOf } from '@heddle/api/contract.ts';
import { type ErrorCode, errorDefinitions, wireCodeOf } from '@heddle/api/errors.ts';
import type { JsonSchema } from '@heddle/api/json-schema.ts';
import { type Exported, exportsOf, type NamedSchema, namesOf } from './contract-names.ts';
import type { Field, Shape } from './shapes.ts';
import { commentOf, declared, fieldsOf, isPlainObject, keyOf, typeWithin, type Writing } from './typescript.ts';

/** The text of `client/src/calls/types.ts`, not yet formatted. */
export async function writeTypes(): Promise<string> {
  const objects = await exportsOf('objects');
  const events = await namedEvents();
  const nameOf = namesOf(objects.schemas);
  const shapes = shapesOf(objects);
  const writing: Writing = { nameOf, shapes };
  const texts = [
    ...permissionsOf(shapes),
    ...objects.schemas.map((named) => declaration(named, writing)),
    ...objects.fields.map(({ name, fields, comment }) => {
      return `${commentOf([comment])}${declared(name, fieldsOf(fields, Object.keys(fields), writing), writing)}`;
    }),
    initialState(await allEndpoints(), writing),
    ...events.map(({ named }) => declaration(named, { ...writing, areEvents: true })),
    eventTypes(events),
    errorTypes({ nameOf }),
  ];
  const helpers = ['EventBase', 'Optional', 'Prefixed'].filter((name) =>
    texts.some((text) => text.includes(`${name}<`)),
  );
  return [
    '/** The objects of the API, the initial state, the events and the errors. `npm run generate` writes this file. */',
    `import type { ${helpers.join(', ')} } from './shapes.ts';\n`,
    ...texts,
  ].join('\n');
}

/** The declared objects, whose fields others can have. The permissions of channels and of groups are objects of their own. */
export function shapesOf({ schemas, fields }: Exported): readonly Shape[] {
  const writing: Writing = { nameOf: namesOf(schemas) };
  const shapes = [
    ...schemas.flatMap(({ name, schema }) => {
      const { properties = {}, required = [] } = schema;
      return isPlainObject(schema) ? [{ name, fields: fieldsOf(properties, required, writing) }] : [];
    }),
    ...fields.map(({ name, fields }) => ({ name, fields: fieldsOf(fields, Object.keys(fields), writing) })),
  ];
  const permissions = Object.entries(PERMISSIONS).flatMap(([name, owner]) => {
    const shape = shapes.find((one) => one.name === owner);
    return shape === undefined ? [] : [{ name, fields: shape.fields.filter(isPermission) }];
  });
  return [...permissions, ...shapes];
}

/** The names of types with the permissions of an object. Parameters and events have them as well. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  ChannelPermissions: 'Channel',
  UserGroupPermissions: 'UserGroup',
};

function isPermission({ name, type }: Field): boolean {
  return name.startsWith('can_') && type === 'GroupSettingValue';
}

function permissionsOf(shapes: readonly Shape[]): readonly string[] {
  const ofObjects = shapes.filter(({ name }) => PERMISSIONS[name] !== undefined);
  return ofObjects.map(({ name, fields }) => {
    const comment = name.startsWith('Channel') ? 'The permissions of a channel.' : 'The permissions of a user group.';
    return `${commentOf([comment])}${declared(name, fields, { nameOf: () => undefined })}`;
  });
}

function declaration({ name, schema, comment }: NamedSchema, writing: Writing): string {
  const described = commentOf([comment ?? (typeof schema.description === 'string' ? schema.description : undefined)]);
  if (!isPlainObject(schema)) return `${described}export type ${name} = ${typeWithin(schema, writing)};\n`;
  const { properties = {}, required = [] } = schema;
  return `${described}${declared(name, fieldsOf(properties, required, writing), writing)}`;
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
    const type =
      Object.keys(extra).length === 0
        ? 'NoFields'
        : typeWithin({ properties: extra, required, type: 'object' }, writing);
    const comment = commentOf(definitions.map(({ description, status }) => `Status ${status}. ${description}`));
    return `${comment}readonly ${keyOf(code)}: ${type};\n`;
  });
  return `/** No fields. */
export interface NoFields {\nreadonly [field: string]: never;\n}

/** The fields of each error besides \`result\`, \`msg\` and \`code\`. */
export interface ErrorFields {\n${fields.join('')}}

/** The codes of errors in responses. */
export type ErrorCode = keyof ErrorFields;
`;
}

function isOptional(schema: JsonSchema | undefined): boolean {
  return schema !== undefined && '~optional' in schema;
}
