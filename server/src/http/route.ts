/**
 * What a feature gives the HTTP layer: an endpoint of the contract with the function that serves it. The layer limits,
 * authenticates and validates as the endpoint and the route's options say; the handler authorizes, acts and answers.
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
import type { FileAnswer, OfKind, PageAnswer, ProtocolAnswer, RedirectAnswer } from './answers.ts';
import type { Credentials } from './authentication.ts';
import type { RequestCookies } from './cookies.ts';
import type { FileBodyLimits, UploadedFile } from './file-bodies.ts';
import type { Capabilities } from './paths.ts';
import type { BodyLimits } from './request-bodies.ts';

/** How the layer learns whom it talks to. The application provides it; the layer knows nothing else of either type. */
export interface Gatekeeper<Organization, Caller> {
  /**
   * The organization that the request's host names; undefined at the root domain where none lives.
   * @param host the `Host` header as it was sent (or the proxy's, if proxies are trusted), port included; '' when absent
   * @param beforeAsking called before the database is asked; what it throws is thrown
   * @throws ApiError `NONEXISTENT_SUBDOMAIN`, `REALM_DEACTIVATED`
   */
  organizationOf(host: string, beforeAsking: () => void): Promise<Organization | undefined> | Organization | undefined;
  /**
   * The account that the credentials belong to. Equal headers are mostly the same object, so what was found can be kept with it.
   * @throws ApiError `UNAUTHORIZED`, `USER_DEACTIVATED`
   */
  authenticate(organization: Organization, credentials: Credentials): Caller;
  /**
   * Refuses accounts to which the endpoint is closed whatever they ask.
   * @throws ApiError `UNAUTHORIZED`
   */
  checkMayCall(caller: Caller, endpoint: Endpoint): void;
  /**
   * The account whose browser has the session with this token; undefined where it has ended or was never one.
   * @throws ApiError `USER_DEACTIVATED`
   */
  callerOfSession(organization: Organization, token: string): Promise<Caller | undefined>;
  /** Names the organization in limits and logs: unique, the same for every request, no secret. */
  organizationKey(organization: Organization): string;
  /** Names the account in limits and logs: unique among all organizations, no secret. */
  limiterKey(caller: Caller): string;
  /** The same of whom the account belongs to: all that are somebody's together have a share as well. Undefined for accounts of their own. */
  ownerKey(caller: Caller): string | undefined;
}

type CallerOf<A extends Authentication, Caller> = A extends 'required'
  ? Caller
  : A extends 'optional'
    ? Caller | undefined
    : undefined;

/** The bytes of a body on their way to us. */
export interface IncomingBytes {
  /** The `Content-Type` header. */
  readonly contentType: string | undefined;
  /** How many bytes the client says that there are. */
  readonly length: number | undefined;
  /** To be read once; fails where the body is too large or too slow, or the client hangs up. */
  readonly content: Readable;
}

/** A request of another protocol. */
export interface ProtocolRequest extends IncomingBytes {
  readonly method: string;
  /** Where the client says that it asks, like `https://chat.example.com`; empty where it says nothing that is a host. */
  readonly origin: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

type Takes<E extends Endpoint> = [NonNullable<E['body']>] extends [never] ? 'form' : NonNullable<E['body']>['takes'];

/** What a handler reads besides its parameters, which a form is wholly made of. */
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
  /** The file or the bytes that the endpoint takes, to be read while they arrive. */
  readonly body: BodyOf[Takes<E>];
  readonly organization: Organization;
  /** `undefined` without authentication, or where it is optional and no credentials were sent. */
  readonly caller: CallerOf<E['authentication'], Caller>;
  /** The client program's name, at most 30 characters: `ZulipMobile`, `website`, … */
  readonly client: string;
  /** The `User-Agent` header. */
  readonly userAgent: string | undefined;
  /** A page of somebody else's has led the browser here; programs and older browsers do not say. */
  readonly isFromAnotherSite: boolean;
  /** For pages: what the browser keeps, and the token that their forms send back. */
  readonly cookies: RequestCookies;
  /** Also in the `x-request-id` header of the answer and in every log line of the request. */
  readonly id: string;
  readonly log: FastifyBaseLogger;
  /** The client's address, as the trusted proxies report it. */
  readonly remoteAddress: string;
}

/** JSON that is serialized already: in one piece, or in pieces that were serialized before and are sent one after the other. */
export type SerializedJson = string | Buffer | readonly Buffer[];

/** A success body, complete with its envelope, or a field's value. Made by `rawJson`. */
export class RawJson {
  readonly body: SerializedJson;

  constructor(body: SerializedJson) {
    this.body = body;
  }
}

/** Several fields of an answer that are serialized together, with commas between; under whichever of their names. */
export class RawFields extends RawJson {
  declare readonly body: string | Buffer;

  /** @param fields any but none */
  constructor(fields: object) {
    super(serializedPiece(JSON.stringify(fields).slice(1, -1)));
  }
}

/** From so many characters on a text that is kept is sent from where it lies; less is sooner copied. */
const LONG = 16_384;

/** A serialized text as it is best kept. */
export function serializedPiece(text: string): string | Buffer {
  return text.length < LONG ? text : Buffer.from(text);
}

/** A value that is serialized already; `value` is only its type. */
export type Serialized<Value> = RawJson & { readonly value?: Value };

/**
 * For hot paths: answers with bytes that are a complete success body, `{"result":"success","msg":"",…}`. The layer sends
 * them as they are (and puts `ignored_parameters_unsupported` before the last brace if the request had such parameters).
 */
export function rawJson(body: SerializedJson): RawJson {
  return new RawJson(body);
}

/** A held request, to who answers it. */
export interface HeldRequest<Given> {
  /**
   * Takes the answer: the first, and at any time, also before `begin` has returned. It is sent with one write to the socket.
   * @param answer what it throws is answered as if the handler had thrown it
   */
  settle(answer: () => Given): void;
}

/**
 * An answer that is still to come, of a request such as thousands of clients hold at once: nothing is kept of the request but this, and what
 * it takes to send it.
 */
export abstract class HeldAnswer<Given> {
  /** Called once. */
  abstract begin(request: HeldRequest<Given>): void;
  /** The client has hung up, or it has its answer. */
  abstract hungUp(): void;
}

/** What kind of limit counts the request. See `limits.ts` for the figures. */
export type LimitOptions<E extends Endpoint> =
  /** Per account when the request has one, per address otherwise. */
  | {
      readonly limit?: 'requests';
      /** Says which requests show a password of the caller's: these count as logins to the account besides. */
      readonly showsPassword?: (parameters: Parameters<E>) => boolean;
    }
  /** As `requests`, in an allowance of their own: how often a client asks for events is not its choice. */
  | { readonly limit: 'polls' }
  /** For files and pictures, and what clients ask about each of them: in an allowance of their own, per account or per address. */
  | { readonly limit: 'files' }
  /** Per address and per account that is being logged in to; a success forgives the account's failures. */
  | { readonly limit: 'login'; readonly account: (parameters: Parameters<E>) => string }
  /** Not limited. */
  | { readonly limit: 'none' };

/** Where the endpoint takes a file or bytes, how much and for how long is the route's to say. */
export type RouteOptions<E extends Endpoint> = LimitOptions<E> &
  BodyOptionsOf[Takes<E>] & {
    /** `optional`: also answers at a root domain where no organization lives. Its handler's type says `Organization | undefined`. */
    readonly organization?: 'required' | 'optional';
    /** What `OPTIONS` of the path tells besides its methods, where a protocol has clients ask. */
    readonly capabilities?: Capabilities;
  };

/** Any field may be serialized already. */
type Fields<Values> = { readonly [Name in keyof Values]: Values[Name] | Serialized<Values[Name]> };

/** What a handler may answer: what its endpoint gives and nothing else. Pages and files may lie elsewhere. */
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

/** What kind of body a route takes, within which limits; a form's are the server's. */
export type RouteBody =
  | { readonly takes: 'form' }
  | { readonly takes: 'file' | 'optional-file'; readonly limits: FileBodyLimits }
  | { readonly takes: 'bytes' | 'protocol'; readonly limits: BodyLimits };

/** A route with its endpoint's type forgotten, as the server keeps it. */
export interface Route<Organization, Caller> {
  readonly endpoint: Endpoint;
  readonly limit: 'requests' | 'polls' | 'files' | 'login' | 'none';
  readonly needsOrganization: boolean;
  readonly capabilities: Capabilities | undefined;
  readonly body: RouteBody;
  /** Whose failed logins count; only where `limit` is `login`. */
  account(parameters: unknown): string;
  /** Whether the request shows a password of the caller's. */
  showsPassword(parameters: unknown): boolean;
  handle(request: unknown): Promise<unknown> | unknown;
  /** Never there: it ties the route to the types that its handler expects. */
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
    needsOrganization: options.organization !== 'optional',
    capabilities: options.capabilities,
    body: bodyOf(endpoint, options),
    account: (parameters) => (options.limit === 'login' ? options.account(parameters as Parameters<E>) : ''),
    showsPassword: (parameters) =>
      'showsPassword' in options && options.showsPassword?.(parameters as Parameters<E>) === true,
    handle: (request) => handler(request as ApiRequest<E, Organization, Caller>),
  };
}

/** The options have the limits that the endpoint's kind of body needs; their type saw to that. */
function bodyOf(endpoint: Endpoint, { body }: { readonly body?: BodyLimits | FileBodyLimits }): RouteBody {
  if (endpoint.body === undefined || body === undefined) return { takes: 'form' };
  const { takes } = endpoint.body;
  if (takes === 'bytes' || takes === 'protocol') return { takes, limits: body };
  return { takes, limits: { maximumFields: 0, ...body } };
}

/**
 * `route` with the application's types filled in, so that features need not name them:
 * `export const route = routeFor<Organization, Caller>();`
 */
export function routeFor<Organization, Caller>(): <E extends Endpoint>(
  endpoint: E,
  options: RouteOptions<E>,
  handler: Handler<E, Organization, Caller>,
) => Route<Organization, Caller> {
  return route;
}
