/** A row per operation is all that the calls need at run time: the method, the path, and how the parameters are sent. */
import { ApiError } from './errors.ts';
import type { ErrorCode } from './types.ts';

/** How a request carries its parameters: a form, or a form with a file. */
export type Takes = 'form' | 'file' | 'optional-file';

/** No parameters, or no fields in a response. */
export type None = Record<never, never>;

/** What the calls know of an operation at run time. */
export interface Row {
  readonly method: string;
  /** Below `/api/v1` or `/json`. `{name}` is a parameter, `{+name}` one that can contain slashes. */
  readonly path: string;
  readonly takes: Takes;
  /** Parameters for which a string and its JSON mean different things, so strings are sent as JSON. */
  readonly quoted: readonly string[];
}

/** A file to be uploaded. A `Blob` without a name is sent as `file`. */
export type NamedBlob = Blob & { readonly name?: string };

export interface CallOptions {
  /** Ends the call. It then throws the reason of the signal. The server possibly executes the request. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the call throws a `NetworkError`. 0 means never. */
  readonly timeout?: number | undefined;
  /**
   * How often the call waits and sends the request again if the server limits the rate (status 429). Such a request was
   * not executed. Default: 0.
   */
  readonly retries?: number | undefined;
}

/** A response, with the names of parameters that this server does not support. */
export type Answer<Response> = Response & { readonly ignored_parameters_unsupported?: readonly string[] };

/** What calls operations. A `Connection` is one. */
export interface Caller {
  readonly url: string;
  call<Parameters extends object, Response extends object, Code extends ErrorCode>(
    operation: Operation<Parameters, Response, Code>,
    parameters?: Parameters,
    options?: CallOptions,
  ): Promise<Answer<Response>>;
}

/** The arguments after the connection. Parameters can be left out if all are optional. */
type Rest<Parameters extends object> =
  Record<never, never> extends Parameters
    ? readonly [parameters?: Parameters, options?: CallOptions]
    : readonly [parameters: Parameters, options?: CallOptions];

/**
 * One operation of the API as a function.
 *
 * It throws an `ApiError`, a `NetworkError` or an `UnexpectedAnswerError`, or the reason of an aborted signal.
 */
export interface Operation<Parameters extends object, Response extends object, Code extends ErrorCode = ErrorCode>
  extends Row {
  (connection: Caller, ...rest: Rest<Parameters>): Promise<Answer<Response>>;
  /** Whether the server refused this operation. The codes are those of the operation. */
  isError(error: unknown): error is ApiError<Code>;
}

/** How the rows of one method are written. The function does nothing else, so bundlers leave out unused operations. */
type RowOf = <Parameters extends object, Response extends object, Code extends ErrorCode>(
  path: string,
  takes?: Takes,
  quoted?: readonly string[],
) => Operation<Parameters, Response, Code>;

export const get: RowOf = /* @__NO_SIDE_EFFECTS__ */ (...row) => operation('GET', ...row);
export const post: RowOf = /* @__NO_SIDE_EFFECTS__ */ (...row) => operation('POST', ...row);
export const put: RowOf = /* @__NO_SIDE_EFFECTS__ */ (...row) => operation('PUT', ...row);
export const patch: RowOf = /* @__NO_SIDE_EFFECTS__ */ (...row) => operation('PATCH', ...row);
export const remove: RowOf = /* @__NO_SIDE_EFFECTS__ */ (...row) => operation('DELETE', ...row);

/** Makes the function of a row. */
function operation<Parameters extends object, Response extends object, Code extends ErrorCode>(
  method: string,
  path: string,
  takes: Takes = 'form',
  quoted: readonly string[] = [],
): Operation<Parameters, Response, Code> {
  const call = (connection: Caller, ...[parameters, options]: Rest<Parameters>): Promise<Answer<Response>> =>
    connection.call(self, parameters, options);
  const isError = (error: unknown): error is ApiError<Code> =>
    error instanceof ApiError && error.request.method === method && error.request.path === path;
  const self: Operation<Parameters, Response, Code> = Object.assign(call, { method, path, takes, quoted, isError });
  return self;
}

/** The URL of a file or a picture of the server. */
export interface Address<Parameters extends object> {
  (
    connection: { readonly url: string },
    ...rest: Record<never, never> extends Parameters ? readonly [] : readonly [parameters: Parameters]
  ): string;
  readonly path: string;
}

/** Makes the function of a path outside the API. */
/* @__NO_SIDE_EFFECTS__ */
export function address<Parameters extends object>(path: string): Address<Parameters> {
  const build = ({ url }: { readonly url: string }, ...[parameters]: readonly [] | readonly [Parameters]): string =>
    new URL(fillPath(path, (parameters ?? {}) as Fields).path, url).href;
  return Object.assign(build, { path });
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Fills in the parameters of a path. Returns the path and the remaining fields.
 *
 * @throws TypeError for an absent parameter, and for `.` and `..`, which would address another operation
 */
export function fillPath(path: string, fields: Fields): { readonly path: string; readonly rest: Fields } {
  const rest: Record<string, unknown> = { ...fields };
  const filled = path.replaceAll(/\{(\+?)(\w+)\}/g, (_, plus: string, name: string) => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`${path} needs ${name}`);
    const segments = plus === '' ? [String(value)] : String(value).split('/');
    if (segments.some((segment) => segment === '.' || segment === '..')) {
      throw new TypeError(`${path} cannot contain ${JSON.stringify(value)}`);
    }
    return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/');
  });
  return { path: filled, rest };
}
