/** The contract as an OpenAPI 3.1 document. */
import Type, { type TProperties, type TSchema } from 'typebox';
import {
  apiPrefix,
  type Endpoint,
  errorCodesOf,
  type FileBody,
  type OptionalFileBody,
  type OtherResponse,
  type Parameter,
} from './contract.ts';
import { type ErrorCode, errorDefinitions, wireCodeOf } from './errors.ts';
import { isSchemaList, type JsonSchema, jsonSchemaOf, mapSchema, takesStrings } from './json-schema.ts';

export interface OpenApiOptions {
  /** The URL of the server without a path. The default is relative to the document. */
  readonly url?: string;
  /** The version of the server. */
  readonly version: string;
}

type Json = { readonly [member: string]: unknown };

export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: Json;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Json } };
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema }; readonly securitySchemes: Json };
}

/**
 * Generates the document. Objects with a `title` become named components. OpenAPI treats `/users/{user_id}` and `/users/{email}` as the
 * same path, so endpoints with such paths share one entry. The document omits endpoints with `outsideApi`.
 */
export function openApiDocument(all: readonly Endpoint[], options: OpenApiOptions): OpenApiDocument {
  const endpoints = all.filter(({ outsideApi }) => !outsideApi);
  const components = new Components();
  const shapes = Map.groupBy(endpoints, ({ path, method }) => `${path.replaceAll(/\{\w+\}/g, '{}')} ${method}`);
  const names = segmentNames(endpoints);
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const same of shapes.values()) {
    const [first] = same;
    if (!first) continue;
    const path = first.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${sharedName(names, first.path, name)}}`);
    paths[path] = {
      ...paths[path],
      [first.method.toLowerCase()]: operation(same, names, components),
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Heddle',
      version: options.version,
      summary: 'Team chat: channels with topics, direct messages, and an event queue for every client',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${options.url ?? ''}${apiPrefix}` }],
    tags: [...new Set(endpoints.map(({ area }) => area))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'basic',
          description: "The user name is the account's API email address, the password its API key.",
        },
      },
    },
  };
}

/** All names of each path segment, by its position. */
type SegmentNames = ReadonlyMap<string, readonly string[]>;

function segmentNames(endpoints: readonly Endpoint[]): SegmentNames {
  const names = new Map<string, string[]>();
  for (const { path } of endpoints) {
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      const place = placeOf(path, name);
      const known = names.get(place) ?? [];
      if (!known.includes(name)) known.push(name);
      names.set(place, known);
    }
  }
  return names;
}

/** The position of a segment: the path without names, and the index of the segment. */
function placeOf(path: string, name: string): string {
  return `${path.replaceAll(/\{\w+\}/g, '{}')} ${path.slice(0, path.indexOf(`{${name}}`)).replaceAll(/\{\w+\}/g, '{}')}`;
}

function sharedName(names: SegmentNames, path: string, name: string): string {
  return names.get(placeOf(path, name))?.join('_or_') ?? name;
}

/** One operation for the endpoints of one method and one path. */
function operation(endpoints: readonly Endpoint[], names: SegmentNames, components: Components): Json {
  const [first] = endpoints;
  if (!first) throw new Error('an operation needs an endpoint');
  const others = endpoints.slice(1);
  const takes = first.body?.takes;
  const inBody = first.method !== 'GET' && first.method !== 'DELETE' && takes !== 'bytes' && takes !== 'protocol';
  const parameters = new Map<string, Json>();
  const fields = new Map<string, Parameter>();
  for (const endpoint of endpoints) {
    for (const [name, parameter] of Object.entries(endpoint.parameters)) {
      if (parameter.presence === 'path')
        addPathParameter(parameters, sharedName(names, endpoint.path, name), parameter, components);
      else if (inBody) fields.set(name, parameter);
      else parameters.set(name, queryParameter(name, parameter, components));
    }
  }
  return {
    operationId: first.operationId,
    tags: [first.area],
    summary: endpoints.map(({ summary }) => summary).join(' · '),
    ...described([first.description, ...others.map(({ operationId }) => `Also \`${operationId}\`.`)]),
    ...(first.deprecated ? { deprecated: true } : {}),
    security: securityOf(first),
    ...(parameters.size > 0 ? { parameters: [...parameters.values()] } : {}),
    ...bodyOf(first, fields, components),
    responses: responses(endpoints, components),
  };
}

function securityOf({ authentication }: Endpoint): readonly Json[] {
  if (authentication === 'none') return [];
  return authentication === 'optional' ? [{ apiKey: [] }, {}] : [{ apiKey: [] }];
}

function addPathParameter(
  parameters: Map<string, Json>,
  name: string,
  parameter: Parameter,
  components: Components,
): void {
  const schema = components.use(parameter.schema);
  const known = parameters.get(name)?.schema as JsonSchema | undefined;
  parameters.set(name, {
    name,
    in: 'path',
    required: true,
    ...described([parameter.description, parameter.restOfPath ? 'May contain slashes.' : undefined]),
    schema: known ? anyOf([known, schema]) : schema,
  });
}

function queryParameter(name: string, parameter: Parameter, components: Components): Json {
  const schema = valueSchema(parameter, components);
  return {
    name,
    in: 'query',
    required: parameter.presence === 'required',
    ...described(parameterNotes(parameter)),
    ...(parameter.deprecated ? { deprecated: true } : {}),
    ...(isJsonEncoded(parameter) ? { content: { 'application/json': { schema } } } : { schema }),
  };
}

/** The `requestBody` of an operation that has one. */
function bodyOf({ body }: Endpoint, fields: ReadonlyMap<string, Parameter>, components: Components): Json {
  if (body?.takes === 'bytes' || body?.takes === 'protocol') {
    if (body.contentTypes.length === 0) return {};
    const content = Object.fromEntries(body.contentTypes.map((type) => [type, {}]));
    return { requestBody: { required: true, ...described([body.description]), content } };
  }
  if (body?.takes === 'file' || body?.takes === 'optional-file') {
    return { requestBody: fileForm(fields, body, components) };
  }
  return fields.size > 0 ? { requestBody: form(fields, components) } : {};
}

/** A form with a file. OpenAPI 3.1 describes binary content only by its type. */
function fileForm(
  fields: ReadonlyMap<string, Parameter>,
  { takes, description }: FileBody | OptionalFileBody,
  components: Components,
): Json {
  const media = formMedia(fields, components);
  const { schema } = media;
  const file = {
    type: 'string',
    format: 'binary',
    ...described([description, 'One file. It must come after the other fields.']),
  };
  const isRequired = takes === 'file';
  const required = [...(schema.required ?? []), ...(isRequired ? ['file'] : [])];
  const whole = {
    ...schema,
    properties: { ...schema.properties, file },
    ...(required.length > 0 && { required }),
  };
  const content = {
    'multipart/form-data': { ...media, schema: whole },
    ...(!isRequired && { 'application/x-www-form-urlencoded': media }),
  };
  return { required: isRequired || required.length > 0, content };
}

function form(fields: ReadonlyMap<string, Parameter>, components: Components): Json {
  const media = formMedia(fields, components);
  return {
    required: (media.schema.required ?? []).length > 0,
    content: { 'application/x-www-form-urlencoded': media, 'multipart/form-data': media },
  };
}

function formMedia(
  fields: ReadonlyMap<string, Parameter>,
  components: Components,
): { readonly schema: JsonSchema; readonly encoding?: Json } {
  const properties: { [name: string]: JsonSchema } = {};
  const encoding: { [name: string]: Json } = {};
  const required: string[] = [];
  for (const [name, parameter] of fields) {
    properties[name] = {
      ...valueSchema(parameter, components),
      ...described(parameterNotes(parameter)),
      ...(parameter.deprecated ? { deprecated: true } : {}),
    };
    if (isJsonEncoded(parameter)) encoding[name] = { contentType: 'application/json' };
    if (parameter.presence === 'required') required.push(name);
  }
  return {
    schema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
    ...(Object.keys(encoding).length > 0 ? { encoding } : {}),
  };
}

function valueSchema(parameter: Parameter, components: Components): JsonSchema {
  const schema = components.use(parameter.schema);
  return parameter.presence === 'defaulted' ? { ...schema, default: parameter.default } : schema;
}

/** Lists and objects are JSON within a field. If the schema also accepts a string, the string can be plain. */
function isJsonEncoded({ schema }: Parameter): boolean {
  const hasComposite = ({ type, anyOf: branches, allOf, $ref }: JsonSchema): boolean =>
    type === 'array' ||
    type === 'object' ||
    allOf !== undefined ||
    $ref !== undefined ||
    (branches?.some(hasComposite) ?? false);
  return hasComposite(jsonSchemaOf(schema));
}

function parameterNotes(parameter: Parameter): (string | undefined)[] {
  const aliases = parameter.aliases.map((alias) => `\`${alias}\``).join(', ');
  return [
    parameter.description ?? jsonSchemaOf(parameter.schema).description?.toString(),
    isJsonEncoded(parameter) && takesStrings(jsonSchemaOf(parameter.schema))
      ? 'A string may be sent bare or as JSON.'
      : undefined,
    aliases === '' ? undefined : `Also accepted as ${aliases}.`,
  ];
}

function responses(endpoints: readonly Endpoint[], components: Components): Json {
  const schemas = endpoints.flatMap(({ response }) => ('kind' in response ? [] : [response]));
  const successes = schemas.map((schema) => inEnvelope(components.use(schema)));
  const others = endpoints.flatMap(({ response }) => ('kind' in response ? [response] : []));
  const errorFields: TProperties = Object.assign({}, ...endpoints.map((endpoint) => endpoint.errorFields));
  const codes = Map.groupBy(new Set(endpoints.flatMap(errorCodesOf)), (code) => errorDefinitions[code].status);
  const byStatus: { [status: string]: Json } = Object.assign({}, ...others.map(otherSuccesses));
  if (successes.length > 0) {
    byStatus[200] = { description: 'Success', content: { 'application/json': { schema: anyOf(successes) } } };
  }
  for (const [status, some] of [...codes].sort(([a], [b]) => a - b)) {
    byStatus[status] = {
      description: some.map((code) => `\`${wireCodeOf(code)}\`: ${errorDefinitions[code].description}`).join('\n\n'),
      content: {
        'application/json': { schema: withFields(anyOf(some.map((code) => components.error(code))), errorFields) },
      },
    };
  }
  return byStatus;
}

/** Responses that are not JSON, by status. */
function otherSuccesses(response: OtherResponse): { readonly [status: string]: Json } {
  const elsewhere = {
    description: response.kind === 'redirect' ? (response.description ?? 'A redirect') : 'A redirect to the file',
    headers: { location: { schema: { type: 'string' }, required: true } },
  };
  switch (response.kind) {
    case 'redirect':
      return { '3XX': elsewhere };
    case 'page':
      return {
        200: { description: response.description ?? 'A page', content: { 'text/html': {} } },
        '3XX': elsewhere,
      };
    case 'protocol':
      return { [response.status]: { description: response.description ?? 'As defined by the protocol' } };
    case 'file': {
      const content = Object.fromEntries(response.contentTypes.map((type) => [type, {}]));
      return {
        200: { description: response.description ?? 'The file', content },
        206: { description: 'The requested range', content },
        304: { description: 'Not modified, according to `If-None-Match` or `If-Modified-Since`' },
        '3XX': elsewhere,
      };
    }
  }
}

const envelopeProperties: { readonly [name: string]: JsonSchema } = {
  result: { type: 'string', const: 'success' },
  msg: { type: 'string', const: '' },
  ignored_parameters_unsupported: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of parameters in the request that the endpoint does not support',
  },
};

function inEnvelope(response: JsonSchema): JsonSchema {
  const required = ['result', 'msg'];
  if (response.type !== 'object' || response.patternProperties) {
    return { allOf: [{ type: 'object', properties: envelopeProperties, required }, response] };
  }
  return {
    ...response,
    properties: { ...envelopeProperties, ...response.properties },
    required: [...required, ...(response.required ?? [])],
  };
}

function withFields(schema: JsonSchema, fields: TProperties): JsonSchema {
  return Object.keys(fields).length === 0 ? schema : { allOf: [schema, jsonSchemaOf(Type.Object(fields))] };
}

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = different;
  return only && different.length === 1 ? only : { anyOf: different };
}

function described(notes: readonly (string | undefined)[]): { readonly description?: string } {
  const description = notes.filter((note) => note !== undefined && note !== '').join('\n\n');
  return description === '' ? {} : { description };
}

/** The named schemas of the document. */
class Components {
  readonly schemas: { [name: string]: JsonSchema } = {};

  /** The schema in the document: a reference if the schema has a title. */
  use(schema: TSchema): JsonSchema {
    return mapSchema(jsonSchemaOf(schema), (inner) => {
      const current = withCurrentTuples(inner);
      return typeof current.title === 'string' ? this.#name(current.title, current) : current;
    });
  }

  error(code: ErrorCode): JsonSchema {
    const properties: { [name: string]: JsonSchema } = {
      result: { type: 'string', const: 'error' },
      msg: { type: 'string', description: 'A message for people' },
      code: { type: 'string', const: wireCodeOf(code) },
    };
    const extra = jsonSchemaOf(Type.Object(errorDefinitions[code].extra));
    const required = [...Object.keys(properties), ...(extra.required ?? [])];
    Object.assign(properties, extra.properties);
    return this.#name(code, { type: 'object', properties, required });
  }

  #name(name: string, schema: JsonSchema): JsonSchema {
    const key = name.replaceAll(/[^\w.-]/g, '');
    const known = this.schemas[key];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are titled ${name}`);
    this.schemas[key] = schema;
    return { $ref: `#/components/schemas/${key}` };
  }
}

/** OpenAPI 3.1 uses JSON Schema 2020-12, which lists the elements of a tuple in `prefixItems`. */
function withCurrentTuples(schema: JsonSchema): JsonSchema {
  if (!isSchemaList(schema.items)) return schema;
  const { items, additionalItems, ...rest } = schema;
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}
