/**
 * What a feature gives the HTTP layer: an endpoint of the contract with the function that serves it. The layer limits, authenticates and
 * validates as the endpoint and the options of the route say. The handler authorizes, acts and returns the response.
 */
import type { Readable } from 'node:stream';
import type {
  Answer,
  Authentication,
  Endpoint,
  FileResponse,
  PageResponse,
  Parameters,
  ProtocolResponse,
  RedirectResponse,
} from '@heddle/api/contract.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { FileAnswer, OfKind, PageAnswer, ProtocolAnswer, RedirectAnswer } from '../answers/answers.ts';
import type { RawJson, Serialized } from '../answers/raw-json.ts';
import type { FileBodyLimits, UploadedFile } from '../bodies/file-bodies.ts';
import type { BodyLimits } from '../bodies/request-bodies.ts';
import type { Credentials } from './authentication.ts';
import type { RequestCookies } from './cookies.ts';
import type { Capabilities } from './paths.ts';

/** The program and the address of a client. */
export interface RequestOrigin {
  /** The `User-Agent` header. */
  readonly userAgent: string | undefined;
  /** As the trusted proxies report it. */
  readonly remoteAddress: string;
}

/** The authenticator authenticates callers for this layer. The application provides it. The layer knows nothing else of either type. */
export interface Authenticator<Organization, Caller> {
  /**
   * The organization that the request's host names; undefined at a root domain without an organization.
   * @param host the `Host` header as it was sent (or the proxy's, if proxies are trusted), with the port; '' if absent
   * @param beforeAsking called before the database is asked; what it throws is thrown
   * @throws ApiError `NONEXISTENT_SUBDOMAIN`, `REALM_DEACTIVATED`
   */
  organizationOf(host: string, beforeAsking: () => void): Promise<Organization | undefined> | Organization | undefined;
  /**
   * The account of the credentials. Equal headers are usually the same object, so the result can be cached by it.
   * @throws ApiError `UNAUTHORIZED`, `USER_DEACTIVATED`
   */
  authenticate(organization: Organization, credentials: Credentials): Caller;
  /**
   * The account that has this API key.
   * @param whose `bot`: keys of people do not count
   * @throws ApiError `UNAUTHORIZED`, `USER_DEACTIVATED`
   */
  accountWithKey(organization: Organization, apiKey: string, whose: 'bot' | 'anyone'): Caller;
  /**
   * Refuses accounts that may never use the endpoint.
   * @throws ApiError `UNAUTHORIZED`
   */
  checkMayCall(caller: Caller, endpoint: Endpoint): void;
  /**
   * The account of the session with this token; undefined for a session that has ended or never existed.
   * @param origin where the request comes from
   * @throws ApiError `USER_DEACTIVATED`
   */
  callerOfSession(organization: Organization, token: string, origin: RequestOrigin): Promise<Caller | undefined>;
  /** The key of the organization in limits and logs: unique, the same for every request, no secret. */
  organizationKey(organization: Organization): string;
  /** The key of the account in limits and logs: unique among all organizations, no secret. */
  limiterKey(caller: Caller): string;
  /** The same key for the owner of the account: all bots of one owner share limits as well. Undefined for accounts without an owner. */
  ownerKey(caller: Caller): string | undefined;
}

type CallerOf<A extends Authentication, Caller> = A extends 'required'
  ? Caller
  : A extends 'optional'
    ? Caller | undefined
    : undefined;

/** The bytes of a body that is arriving. */
export interface IncomingBytes {
  /** The `Content-Type` header. */
  readonly contentType: string | undefined;
  /** The number of bytes that the client declares. */
  readonly length: number | undefined;
  /** Read it once. It fails if the body is too large or too slow, or if the client disconnects. */
  readonly content: Readable;
}

/** A request of another protocol. */
export interface ProtocolRequest extends IncomingBytes {
  readonly method: string;
  /** The origin that the client addressed, like `https://chat.example.com`; empty if it names no valid host. */
  readonly origin: string;
  /** The path and the query as the client sent them. */
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

type Takes<E extends Endpoint> = [NonNullable<E['body']>] extends [never] ? 'form' : NonNullable<E['body']>['takes'];

/** What a handler reads besides its parameters. A form consists of parameters only. */
interface BodyOf {
  readonly form: undefined;
  readonly file: UploadedFile;
  readonly 'optional-file': UploadedFile | undefined;
  readonly bytes: IncomingBytes;
  readonly protocol: ProtocolRequest;
}

interface BodyOptionsOf {
  readonly form: { readonly body?: never };
  readonly file: { readonly body: FileBodyLimits };
  readonly 'optional-file': { readonly body: FileBodyLimits };
  readonly bytes: { readonly body: BodyLimits };
  readonly protocol: { readonly body: BodyLimits };
}

/** A request that has been limited, authenticated and validated. */
export interface ApiRequest<E extends Endpoint, Organization, Caller> {
  readonly parameters: Parameters<E>;
  /** The file or the bytes that the endpoint takes. The handler reads them while they arrive. */
  readonly body: BodyOf[Takes<E>];
  readonly organization: Organization;
  /** `undefined` without authentication, or if it is optional and the client sent no credentials. */
  readonly caller: CallerOf<E['authentication'], Caller>;
  /** The token of the browser's session, if the session identifies the caller. */
  readonly session: string | undefined;
  /** When the request arrived, on the clock of `performance.now`. */
  readonly begunAt: number;
  /** The client program's name, at most 30 characters: `ZulipMobile`, `website`, … */
  readonly client: string;
  /** The `User-Agent` header. */
  readonly userAgent: string | undefined;
  /** The languages that the browser prefers, as BCP 47 tags, the preferred one first. */
  readonly languages: readonly string[];
  /** A page of another site has led the browser here. Programs and older browsers do not report it. */
  readonly isFromAnotherSite: boolean;
  /** The path that the browser opened, as it was sent. Undefined for forms, which cannot be opened again. */
  readonly openedPath: string | undefined;
  /** For pages: the cookies of the browser, and the token that forms must contain. */
  readonly cookies: RequestCookies;
  /** The id is also in the `x-request-id` header of the response and in every log line of the request. */
  readonly id: string;
  readonly log: FastifyBaseLogger;
  /** The client's address, as the trusted proxies report it. */
  readonly remoteAddress: string;
}

/** A held request, as the code that responds to it sees it. */
export interface HeldRequest<Given> {
  /**
   * Takes the response. The first call counts; it may come before `begin` has returned. The response is one write to the socket.
   * @param answer if it throws, the response is the same as if the handler had thrown
   */
  settle(answer: () => Given): void;
}

/**
 * A response that comes later. Thousands of clients hold such requests at once, so nothing of the request is kept but this and what sends
 * it.
 */
export abstract class HeldAnswer<Given> {
  /** Called once. */
  abstract begin(request: HeldRequest<Given>): void;
  /** The client has disconnected, or it has its response. */
  abstract hungUp(): void;
}

/** Which limit counts the request. `../limits/limits.ts` has the figures. */
export type LimitOptions<E extends Endpoint> =
  /** Per account if the request has one, else per address. */
  | {
      readonly limit?: 'requests';
      /** Which requests contain a password of the caller: they also count as logins to the account. */
      readonly showsPassword?: (parameters: Parameters<E>) => boolean;
    }
  /** Like `requests`, with a limit of its own: a client does not choose how often events arrive. */
  | { readonly limit: 'polls' }
  /** For files and pictures, and for requests about each of them: a limit of its own, per account or per address. */
  | { readonly limit: 'files' }
  /** Per address and per account of the login. A success clears the failures of the account. */
  | { readonly limit: 'login'; readonly account: (parameters: Parameters<E>) => string }
  /** Not limited. */
  | { readonly limit: 'none' };

/** A route that takes a file or bytes sets the limits of size and time. */
export type RouteOptions<E extends Endpoint> = LimitOptions<E> &
  BodyOptionsOf[Takes<E>] & {
    /**
     * `optional`: also responds at a root domain without an organization. The type of its handler says `Organization | undefined`.
     * `none`: responds at every host, because it is not looked up. `organization` of the request is undefined then.
     */
    readonly organization?: 'required' | 'optional' | 'none';
    /** Which responses contain secrets, if the endpoint's definition says that some do. Without it, all of them count as secret. */
    readonly carriesSecrets?: (given: Given<E>) => boolean;
    /** What `OPTIONS` of the path returns besides its methods. Clients of some protocols ask for that. */
    readonly capabilities?: Capabilities;
  };

/** Any field may be serialized already. */
type Fields<Values> = { readonly [Name in keyof Values]: Values[Name] | Serialized<Values[Name]> };

/** What a handler may return: what its endpoint gives and nothing else. Pages and files may redirect. */
type Given<E extends Endpoint> = E['response'] extends FileResponse
  ? FileAnswer | RedirectAnswer
  : E['response'] extends PageResponse
    ? PageAnswer | RedirectAnswer
    : E['response'] extends RedirectResponse
      ? RedirectAnswer
      : E['response'] extends ProtocolResponse
        ? ProtocolAnswer
        : (Fields<Answer<E>> & OfKind<never>) | RawJson;

export type Handler<E extends Endpoint, Organization, Caller> = (
  request: ApiRequest<E, Organization, Caller>,
) => Promise<Given<E> | HeldAnswer<Given<E>>> | Given<E> | HeldAnswer<Given<E>>;

/** The kind of body of a route, and its limits. The server limits forms. */
export type RouteBody =
  | { readonly takes: 'form' }
  | { readonly takes: 'file' | 'optional-file'; readonly limits: FileBodyLimits }
  | { readonly takes: 'bytes' | 'protocol'; readonly limits: BodyLimits };

/** A route without the type of its endpoint, as the server keeps it. */
export interface Route<Organization, Caller> {
  readonly endpoint: Endpoint;
  readonly limit: 'requests' | 'polls' | 'files' | 'login' | 'none';
  readonly organizationIs: 'required' | 'optional' | 'none';
  readonly capabilities: Capabilities | undefined;
  readonly body: RouteBody;
  /** The account whose failed logins count; only if `limit` is `login`. */
  account(parameters: unknown): string;
  /** Whether the request contains a password of the caller. */
  showsPassword(parameters: unknown): boolean;
  /** Whether the response with these values may be compressed. */
  mayCompress(given: unknown): boolean;
  handle(request: unknown): Promise<unknown> | unknown;
  /** Never present: it binds the route to the types that its handler expects. */
  readonly expects?: (organization: Organization, caller: Caller) => void;
}

/**
 * Serves an endpoint.
 *
 * @example
 * route(getMessage, {}, async ({ parameters, caller }) => {
 *   const message = await messageFor(caller, parameters.message_id);
 *   return { message: present(message, parameters) };
 * });
 */
export function route<E extends Endpoint, Organization, Caller>(
  endpoint: E,
  options: RouteOptions<E>,
  handler: Handler<E, Organization, Caller>,
): Route<Organization, Caller> {
  return {
    endpoint,
    limit: options.limit ?? 'requests',
    organizationIs: options.organization ?? 'required',
    capabilities: options.capabilities,
    body: bodyOf(endpoint, options),
    account: (parameters) => (options.limit === 'login' ? options.account(parameters as Parameters<E>) : ''),
    showsPassword: (parameters) =>
      'showsPassword' in options && options.showsPassword?.(parameters as Parameters<E>) === true,
    mayCompress: (given) => !carriesSecrets(endpoint, options, given as Given<E>),
    handle: (request) => handler(request as ApiRequest<E, Organization, Caller>),
  };
}

function carriesSecrets<E extends Endpoint>(endpoint: E, options: RouteOptions<E>, given: Given<E>): boolean {
  if (endpoint.secrets === undefined) return false;
  return endpoint.secrets === 'always' || (options.carriesSecrets?.(given) ?? true);
}

/** The options have the limits that the endpoint's kind of body needs; their type requires it. */
function bodyOf(endpoint: Endpoint, { body }: { readonly body?: BodyLimits | FileBodyLimits }): RouteBody {
  if (endpoint.body === undefined || body === undefined) return { takes: 'form' };
  const { takes } = endpoint.body;
  if (takes === 'bytes' || takes === 'protocol') return { takes, limits: body };
  return { takes, limits: { maximumFields: 0, ...body } };
}

/** `route` with the application's types, so that features do not repeat them: `export const route = routeFor<Organization, Caller>();` */
export function routeFor<Organization, Caller>(): <E extends Endpoint>(
  endpoint: E,
  options: RouteOptions<E>,
  handler: Handler<E, Organization, Caller>,
) => Route<Organization, Caller> {
  return route;
}
