/**
 * The types of the contract. Each endpoint is one value. The server validates requests with it, handlers and clients take their types
 * from it, and the OpenAPI document is generated from it.
 */
import type { Static, TProperties, TSchema } from 'typebox';
import { commonErrors, type ErrorCode } from './errors.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** `optional`: the endpoint also serves requests without credentials. The server still checks credentials that a request contains. */
export type Authentication = 'required' | 'optional' | 'none';

export type Presence = 'required' | 'optional' | 'defaulted' | 'path';

/** A parameter of an endpoint: its values, its presence and its older names. */
export interface Parameter<Schema extends TSchema = TSchema, P extends Presence = Presence> {
  readonly presence: P;
  readonly schema: Schema;
  /** Older names of the parameter. A request that uses two names at once is an error. */
  readonly aliases: readonly string[];
  /** The value of an absent parameter. Only if `presence` is `defaulted`. */
  readonly default?: Static<Schema>;
  readonly description?: string;
  /** Only for the last path parameter: the value is the rest of the path, including slashes. */
  readonly restOfPath?: boolean;
  readonly deprecated?: boolean;
  /** Only for a choice of strings: the error for any other value says why, like that for a number. The reference has both texts. */
  readonly saysWhy?: boolean;
}

export interface ParameterOptions {
  readonly aliases?: readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly saysWhy?: boolean;
}

/** A parameter that requests must contain. Its absence is a `REQUEST_VARIABLE_MISSING` error. */
export function required<Schema extends TSchema>(
  schema: Schema,
  options: ParameterOptions = {},
): Parameter<Schema, 'required'> {
  return { aliases: [], ...options, presence: 'required', schema };
}

/** A parameter that requests can omit. Handlers then read `undefined`. */
export function optional<Schema extends TSchema>(
  schema: Schema,
  options: ParameterOptions = {},
): Parameter<Schema, 'optional'> {
  return { aliases: [], ...options, presence: 'optional', schema };
}

/** A parameter that requests can omit. Handlers then read `value`. */
export function defaulted<Schema extends TSchema>(
  schema: Schema,
  value: Static<Schema>,
  options: ParameterOptions = {},
): Parameter<Schema, 'defaulted'> {
  return { aliases: [], ...options, presence: 'defaulted', schema, default: value };
}

/**
 * A path segment, written as `{name}`. An integer segment matches only digits, so that `/users/7` and `/users/ada@example.com` can be
 * two endpoints. If no endpoint matches, the response has status 404.
 */
export function inPath<Schema extends TSchema>(
  schema: Schema,
  options: { readonly description?: string; readonly restOfPath?: boolean } = {},
): Parameter<Schema, 'path'> {
  return { aliases: [], ...options, presence: 'path', schema };
}

export type ParameterDefinitions = { readonly [name: string]: Parameter };

/** A `multipart/form-data` body with one file. The parameters of the endpoint are the fields before the file. */
export interface FileBody {
  readonly takes: 'file';
  /** The purpose of the file. */
  readonly description?: string;
}

/** A form with an optional file. Without a file, a request can use any form encoding. */
export interface OptionalFileBody {
  readonly takes: 'optional-file';
  /** The purpose of the file. */
  readonly description?: string;
}

/** A body of bytes. The parameters are in the query string and the path. */
export interface RawBody {
  readonly takes: 'bytes';
  readonly contentTypes: readonly string[];
  readonly description?: string;
}

/** A request of another protocol, such as tus. The handler reads its method, headers and body. */
export interface ProtocolBody {
  readonly takes: 'protocol';
  readonly contentTypes: readonly string[];
  readonly description?: string;
}

export type AnyBody = FileBody | OptionalFileBody | RawBody | ProtocolBody;

/** A response with a file instead of JSON. Clients can request ranges of it. */
export interface FileResponse {
  readonly kind: 'file';
  /** `*\/*` for any type. */
  readonly contentTypes: readonly string[];
  readonly description?: string;
}

/** A redirect. */
export interface RedirectResponse {
  readonly kind: 'redirect';
  readonly description?: string;
}

/** An HTML page. */
export interface PageResponse {
  readonly kind: 'page';
  readonly description?: string;
}

/** A response of the protocol of the request. */
export interface ProtocolResponse {
  readonly kind: 'protocol';
  /** The status of a successful response. */
  readonly status: number;
  readonly description?: string;
}

export type OtherResponse = FileResponse | RedirectResponse | PageResponse | ProtocolResponse;

/** The path prefix of all endpoints except those with `outsideApi`. */
export const apiPrefix = '/api/v1';

/** An endpoint. Its path is relative to `/api/v1` and starts with a slash. */
export interface Endpoint<
  Definitions extends ParameterDefinitions = ParameterDefinitions,
  Response extends TSchema | OtherResponse = TSchema | OtherResponse,
  A extends Authentication = Authentication,
  Body extends AnyBody = AnyBody,
> {
  /** Unique in the interface, kebab-case. */
  readonly operationId: string;
  readonly method: Method;
  readonly path: `/${string}`;
  /** The heading of the endpoint in the documentation. */
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  readonly authentication: A;
  readonly parameters: Definitions;
  /** The kind of body. The default is a form (URL-encoded or multipart) with the parameters. */
  readonly body?: Body;
  /**
   * The fields of a successful response, without `result`, `msg` and `ignored_parameters_unsupported`. Or the kind of a response that is
   * not JSON.
   */
  readonly response: Response;
  /** The error codes beyond those that follow from the definition (see `errorCodesOf`). */
  readonly errors: readonly ErrorCode[];
  /** Optional fields of all its errors, in addition to those of the error code. */
  readonly errorFields?: TProperties;
  readonly deprecated?: boolean;
  /**
   * Whether the response contains API keys, tokens or login links. The server does not compress such a response, because of the BREACH
   * attack: if it also contains text of an attacker, its compressed size reveals whether the text equals the secret. With `sometimes` the
   * route decides per response.
   */
  readonly secrets?: 'always' | 'sometimes';
  /** True if incoming webhook bots can call the endpoint. They cannot call any other endpoint that requires an account. */
  readonly forIncomingWebhooks?: boolean;
  /**
   * Whose API key can replace the credentials, as the parameter `api_key` of the URL. It is for services that can store only
   * a URL, and for apps that cannot send credentials with a picture.
   */
  readonly keyInUrl?: 'bot' | 'anyone';
  /**
   * True if a browser session can replace the credentials. Under `/json` this is so for every endpoint, therefore only paths that browsers
   * and programs share need it.
   */
  readonly session?: boolean;
  /** True if `path` is the full path. Pages and files for browsers are not under `/api/v1`. */
  readonly outsideApi?: boolean;
}

/** The path that clients request. */
export function fullPathOf({ path, outsideApi }: Endpoint): string {
  return outsideApi ? path : apiPrefix + path;
}

/** The kind of a response that is not JSON. Undefined for JSON responses. */
export function otherResponseOf({ response }: Endpoint): OtherResponse | undefined {
  return 'kind' in response ? response : undefined;
}

/** The schema of the response fields. Undefined if the response is not JSON. */
export function responseSchemaOf({ response }: Endpoint): TSchema | undefined {
  return 'kind' in response ? undefined : response;
}

/**
 * Defines an endpoint and checks that the server can serve it.
 *
 * @throws Error for an inconsistent definition, for example if the path does not match its path parameters
 *
 * @example
 * export const getMessage = defineEndpoint({
 *   operationId: 'get-message', method: 'GET', path: '/messages/{message_id}', area: 'messages',
 *   summary: 'Fetch one message', authentication: 'required',
 *   parameters: { message_id: inPath(Type.Integer()), apply_markdown: defaulted(Type.Boolean(), true) },
 *   response: Type.Object({ message }), errors: [],
 * });
 */
export function defineEndpoint<
  const Definitions extends ParameterDefinitions,
  const Response extends TSchema | OtherResponse,
  const A extends Authentication,
  const Body extends AnyBody = never,
>(endpoint: Endpoint<Definitions, Response, A, Body>): Endpoint<Definitions, Response, A, Body> {
  const names = new Set<string>();
  for (const [name, parameter] of Object.entries(endpoint.parameters)) {
    for (const spelling of [name, ...parameter.aliases]) {
      if (names.has(spelling)) throw new Error(`${endpoint.operationId}: two parameters are called ${spelling}`);
      names.add(spelling);
    }
  }
  const inPathNames = pathParameterNames(endpoint.path);
  const declared = Object.entries(endpoint.parameters).filter(([, parameter]) => parameter.presence === 'path');
  if (declared.length !== inPathNames.length || declared.some(([name]) => !inPathNames.includes(name))) {
    throw new Error(`${endpoint.operationId}: the path ${endpoint.path} and its path parameters disagree`);
  }
  for (const [name, parameter] of declared) {
    if (parameter.restOfPath && !endpoint.path.endsWith(`/{${name}}`)) {
      throw new Error(`${endpoint.operationId}: ${name} takes the rest of the path, so it must stand last`);
    }
  }
  if (endpoint.body !== undefined && endpoint.method === 'GET') {
    throw new Error(`${endpoint.operationId}: a GET has no body`);
  }
  if ('kind' in endpoint.response && endpoint.response.kind === 'file' && endpoint.method !== 'GET') {
    throw new Error(`${endpoint.operationId}: a file is got with GET`);
  }
  return endpoint;
}

/** The names in braces, in the order of the path. */
export function pathParameterNames(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '');
}

/** All error codes of an endpoint: its own, those of every endpoint, and those of its parameters. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const parameters = Object.values(endpoint.parameters);
  const codes = new Set<ErrorCode>([...endpoint.errors, ...commonErrors.always]);
  if (endpoint.authentication !== 'none') for (const code of commonErrors.authenticated) codes.add(code);
  const kind = otherResponseOf(endpoint)?.kind;
  if (endpoint.method !== 'GET' && (endpoint.authentication !== 'none' || kind === 'page' || kind === 'redirect')) {
    codes.add('CSRF_FAILED');
  }
  if (parameters.some(({ presence }) => presence === 'required')) codes.add('REQUEST_VARIABLE_MISSING');
  if (parameters.some(({ aliases }) => aliases.length > 0)) codes.add('REQUEST_CONFUSING_VAR');
  if (endpoint.body !== undefined) codes.add('REQUEST_TIMEOUT');
  if (kind === 'file') for (const code of ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'] as const) codes.add(code);
  return [...codes];
}

/** The decoded parameters that handlers read. Every name is present; omitted parameters are `undefined`. */
export type Parameters<E extends Endpoint> = {
  readonly [Name in keyof E['parameters']]: E['parameters'][Name] extends Parameter<infer Schema, infer P>
    ? P extends 'optional'
      ? Static<Schema> | undefined
      : Static<Schema>
    : never;
};

type OmissibleNames<Definitions extends ParameterDefinitions> = {
  [Name in keyof Definitions]: Definitions[Name]['presence'] extends 'optional' | 'defaulted' ? Name : never;
}[keyof Definitions];

/** The parameters that a client passes. Optional ones can be absent. */
export type Arguments<E extends Endpoint> = {
  readonly [Name in Exclude<keyof E['parameters'], OmissibleNames<E['parameters']>>]: Static<
    E['parameters'][Name]['schema']
  >;
} & {
  readonly [Name in OmissibleNames<E['parameters']>]?: Static<E['parameters'][Name]['schema']>;
};

/** The fields of a successful response. `never` if the response is not JSON. */
export type Answer<E extends Endpoint> = E['response'] extends OtherResponse ? never : Static<E['response']>;

/** The parameters that a handler reads for these arguments, including the defaults. */
export function completed<E extends Endpoint>(endpoint: E, given: Arguments<E>): Parameters<E> {
  const values: Readonly<Record<string, unknown>> = given;
  const entries = Object.entries(endpoint.parameters).map(([name, parameter]) => [
    name,
    values[name] ?? parameter.default,
  ]);
  // The entries and the type come from the same definition.
  return Object.fromEntries(entries) as Parameters<E>;
}
