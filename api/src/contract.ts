/**
 * The contract's vocabulary. An endpoint is defined once, as a value; that value validates requests, types handlers and
 * clients, and becomes the OpenAPI document.
 */
import type { Static, TSchema } from 'typebox';
import { commonErrors, type ErrorCode } from './errors.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** `optional`: credentials are checked when they are sent, and the endpoint also answers without. */
export type Authentication = 'required' | 'optional' | 'none';

export type Presence = 'required' | 'optional' | 'defaulted' | 'path';

/** One parameter: what values it takes, whether it may be left out, and under what older names it also arrives. */
export interface Parameter<Schema extends TSchema = TSchema, P extends Presence = Presence> {
  readonly presence: P;
  readonly schema: Schema;
  /** Older names of the same parameter. Sending it under two names at once is an error. */
  readonly aliases: readonly string[];
  /** The value when it is left out; only where `presence` is `defaulted`. */
  readonly default?: Static<Schema>;
  readonly description?: string;
  /** Only in the path, and only last: the value takes the rest of the path, slashes included. */
  readonly restOfPath?: boolean;
  readonly deprecated?: boolean;
}

export interface ParameterOptions {
  readonly aliases?: readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** A parameter that the request must carry; its absence is `REQUEST_VARIABLE_MISSING`. */
export function required<Schema extends TSchema>(
  schema: Schema,
  options: ParameterOptions = {},
): Parameter<Schema, 'required'> {
  return { aliases: [], ...options, presence: 'required', schema };
}

/** A parameter that may be left out; handlers then read `undefined`. */
export function optional<Schema extends TSchema>(
  schema: Schema,
  options: ParameterOptions = {},
): Parameter<Schema, 'optional'> {
  return { aliases: [], ...options, presence: 'optional', schema };
}

/** A parameter that handlers read as `value` when it is left out. */
export function defaulted<Schema extends TSchema>(
  schema: Schema,
  value: Static<Schema>,
  options: ParameterOptions = {},
): Parameter<Schema, 'defaulted'> {
  return { aliases: [], ...options, presence: 'defaulted', schema, default: value };
}

/**
 * A segment of the path, written `{name}` there. An integer one matches digits only, so that `/users/7` and
 * `/users/someone@example.com` can be two endpoints; a segment that does not match makes the path unknown (404).
 */
export function inPath<Schema extends TSchema>(
  schema: Schema,
  options: { readonly description?: string; readonly restOfPath?: boolean } = {},
): Parameter<Schema, 'path'> {
  return { aliases: [], ...options, presence: 'path', schema };
}

export type ParameterDefinitions = { readonly [name: string]: Parameter };

/** A body of `multipart/form-data` with one file; the endpoint's parameters are the fields before it. */
export interface FileBody {
  readonly takes: 'file';
  /** What the file is for. */
  readonly description?: string;
}

/** The same where the file may be left out: then any form will do. */
export interface OptionalFileBody {
  readonly takes: 'optional-file';
  /** What the file is for. */
  readonly description?: string;
}

/** A body of bytes, whose parameters are in the query and the path. */
export interface RawBody {
  readonly takes: 'bytes';
  readonly contentTypes: readonly string[];
  readonly description?: string;
}

/** A request of another protocol than this interface's: its method, headers and body as they are. */
export interface ProtocolBody {
  readonly takes: 'protocol';
  readonly contentTypes: readonly string[];
  readonly description?: string;
}

export type AnyBody = FileBody | OptionalFileBody | RawBody | ProtocolBody;

/** An answer that is a file, of which the client may ask for a part; its success is no JSON. */
export interface FileResponse {
  readonly gives: 'file';
  /** `*\/*` where it can be anything. */
  readonly contentTypes: readonly string[];
  readonly description?: string;
}

/** An answer that leads the client elsewhere. */
export interface RedirectResponse {
  readonly gives: 'redirect';
  readonly description?: string;
}

/** An answer in HTML for people. */
export interface PageResponse {
  readonly gives: 'page';
  readonly description?: string;
}

/** An answer of the protocol that the request is of. */
export interface ProtocolResponse {
  readonly gives: 'protocol';
  /** The status of a success. */
  readonly status: number;
  readonly description?: string;
}

export type OtherResponse = FileResponse | RedirectResponse | PageResponse | ProtocolResponse;

/** Every endpoint of the interface is under this path, unless it says `outsideApi`. */
export const apiPrefix = '/api/v1';

/** What an endpoint is. Paths are relative to `/api/v1` and begin with a slash. */
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
  /** The heading it stands under in the documentation. */
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  readonly authentication: A;
  readonly parameters: Definitions;
  /** What the body is; a form of the parameters (URL-encoded or multipart) if not given. */
  readonly body?: Body;
  /**
   * The return values: without `result`, `msg` and `ignored_parameters_unsupported`, which every success carries. Or what it gives
   * that is no JSON.
   */
  readonly response: Response;
  /** The codes it can answer besides those that follow from its definition (see `errorCodesOf`). */
  readonly errors: readonly ErrorCode[];
  readonly deprecated?: boolean;
  /** Also for incoming webhook bots, to which everything else that requires an account is closed. */
  readonly forIncomingWebhooks?: boolean;
  /**
   * A browser's session will do where no credentials are sent. Under `/json` in place of `/api/v1` it does for every endpoint, so this is for
   * paths that browsers and programs share.
   */
  readonly session?: boolean;
  /** Its path is the whole path: pages and files that browsers ask for, which are not under `/api/v1`. */
  readonly outsideApi?: boolean;
}

/** The path as clients ask for it. */
export function fullPathOf({ path, outsideApi }: Endpoint): string {
  return outsideApi ? path : apiPrefix + path;
}

/** What the endpoint gives that is no JSON; undefined for the usual answer in its envelope. */
export function otherResponseOf({ response }: Endpoint): OtherResponse | undefined {
  return 'gives' in response ? response : undefined;
}

/** The schema of the return values; undefined where there is no JSON. */
export function responseSchemaOf({ response }: Endpoint): TSchema | undefined {
  return 'gives' in response ? undefined : response;
}

/**
 * Defines an endpoint, and refuses what could not be served: a path and its path parameters that disagree, one name for
 * two parameters, or a rest of the path that is not last.
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
  if ('gives' in endpoint.response && endpoint.response.gives === 'file' && endpoint.method !== 'GET') {
    throw new Error(`${endpoint.operationId}: a file is got with GET`);
  }
  return endpoint;
}

/** The names in braces, in the order of the path. */
export function pathParameterNames(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '');
}

/** Every code that the endpoint can answer: its own, those of every endpoint, and those that its parameters bring. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const parameters = Object.values(endpoint.parameters);
  const codes = new Set<ErrorCode>([...endpoint.errors, ...commonErrors.always]);
  if (endpoint.authentication !== 'none') for (const code of commonErrors.authenticated) codes.add(code);
  const gives = otherResponseOf(endpoint)?.gives;
  if (endpoint.method !== 'GET' && (endpoint.authentication !== 'none' || gives === 'page' || gives === 'redirect')) {
    codes.add('CSRF_FAILED');
  }
  if (parameters.some(({ presence }) => presence === 'required')) codes.add('REQUEST_VARIABLE_MISSING');
  if (parameters.some(({ aliases }) => aliases.length > 0)) codes.add('REQUEST_CONFUSING_VAR');
  if (endpoint.body !== undefined) codes.add('REQUEST_TIMEOUT');
  if (gives === 'file') for (const code of ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'] as const) codes.add(code);
  return [...codes];
}

/** The decoded parameters of an endpoint, as handlers read them: every name is there, `undefined` where it was left out. */
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

/** The parameters of an endpoint as a client gives them: what may be left out may be missing. */
export type Arguments<E extends Endpoint> = {
  readonly [Name in Exclude<keyof E['parameters'], OmissibleNames<E['parameters']>>]: Static<
    E['parameters'][Name]['schema']
  >;
} & {
  readonly [Name in OmissibleNames<E['parameters']>]?: Static<E['parameters'][Name]['schema']>;
};

/** The return values of an endpoint, without the envelope; nothing where it gives no JSON. */
export type Answer<E extends Endpoint> = E['response'] extends OtherResponse ? never : Static<E['response']>;

/** What a handler reads of a request that gives these arguments: with the defaults of what it leaves out. */
export function completed<E extends Endpoint>(endpoint: E, given: Arguments<E>): Parameters<E> {
  const values: Readonly<Record<string, unknown>> = given;
  const entries = Object.entries(endpoint.parameters).map(([name, parameter]) => [
    name,
    values[name] ?? parameter.default,
  ]);
  // Made from the same definition as the type.
  return Object.fromEntries(entries) as Parameters<E>;
}
