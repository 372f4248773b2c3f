/**
 * The HTTP server: the contract's routes under `/api/v1`, and uniform responses to every error around them. The path of a request is host →
 * organization, limit, authenticate, body, parameters, handler, envelope.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fullPathOf } from '@heddle/api/contract.ts';
import { methodNotAllowed, notFound } from '@heddle/api/errors.ts';
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { TimeSpent } from '../time-spent.ts';
import { redirect } from './answers/answers.ts';
import { answerBrokenConnection } from './answers/failures.ts';
import { encodingRefusal, leaveBodies, readForms } from './bodies/bodies.ts';
import { expectForm } from './bodies/request-bodies.ts';
import { KEEP_ALIVE_MS } from './keep-alive.ts';
import { type Limits, limitsBy } from './limits/limits.ts';
import { RequestSlots } from './limits/running.ts';
import { serveDocumentation } from './pages/documentation.ts';
import { sendRedirect } from './pages/serve-page.ts';
import { type RefusalOptions, refuse } from './refusals.ts';
import { type Admission, requesterOf } from './requests/admission.ts';
import { routedUrl } from './requests/authentication.ts';
import type { CookieRules } from './requests/cookies.ts';
import { PathTable } from './requests/paths.ts';
import { type ProxyTrust, proxyTrust, requestIdOf, type TrustedProxies } from './requests/proxies.ts';
import type { Authenticator, Route } from './requests/route.ts';
import { countAnswer, RequestTimer } from './responses/measuring.ts';
import { ResponsePipeline, type ResponsePipelineOptions } from './responses/response-pipeline.ts';
import { forgetFile } from './responses/serve-file.ts';
import { SlowReaders } from './responses/slow-readers.ts';
import { type ReadinessReporter, serveHealth } from './serve-health.ts';
import { serveRoute } from './serve-route.ts';

export interface HttpServerOptions<Organization, Caller>
  extends Pick<ResponsePipelineOptions, 'onAnswer' | 'outageOf'>,
    RefusalOptions {
  readonly routes: readonly Route<Organization, Caller>[];
  readonly authenticator: Authenticator<Organization, Caller>;
  readonly log: FastifyBaseLogger;
  /**
   * Which `X-Forwarded-*` headers the server trusts: none (the default), all, those of this number of proxies, or those of these addresses.
   */
  readonly trustProxy?: TrustedProxies;
  /** The limiters; `'off'` for none. Default: `defaultLimitRules`. */
  readonly limits?: Limits | 'off';
  /** Default: `defaultSlowReaderRules`. */
  readonly slowReaders?: SlowReaders;
  /** The size limit of a form, in bytes. */
  readonly bodyLimit?: number;
  /** The server's own version; the OpenAPI document names it. */
  readonly version: string;
  /** Where clients reach the server; the OpenAPI document says so. */
  readonly url?: string;
  /** How browsers keep sessions. Without it there are none. */
  readonly cookies?: CookieRules;
  /** Serves `/health/…` if given. */
  readonly readiness?: ReadinessReporter;
  /** Requests that take longer are logged, in milliseconds. */
  readonly slowRequestMs?: number;
}

export interface HttpServer {
  /** For routes and plugins outside the contract, before `listen`; in tests, for `inject`. */
  readonly app: FastifyInstance;
  /** @returns the address, with the port that the system chose if it was 0 */
  listen(host: string, port: number): Promise<AddressInfo>;
  /**
   * Stops accepting connections, waits for running requests, and closes every connection. After `withinMilliseconds` it destroys the
   * remaining ones. The code that holds polls must respond to them before or meanwhile.
   */
  stop(withinMilliseconds: number): Promise<void>;
  /** From then on each response closes its connection, so that clients move to other processes. */
  beginDraining(): void;
  /** Accepts no more connections, and serves those that are open. Resolves when their clients or a response have closed all of them. */
  stopAccepting(): Promise<void>;
}

/** The largest message fits many times. Bulk requests contain lists of thousands of ids. */
const DEFAULT_MAX_BODY_BYTES = 4 * 1024 * 1024;
/** `GET` requests contain narrows and lists of ids in their query. */
const MAX_HEADER_BYTES = 32 * 1024;
/** The longest path parameters: fragments of navigation views, percent-encoded. */
const MAX_PATH_PARAMETER_LENGTH = 2000;
const DEFAULT_SLOW_REQUEST_MS = 1_000;

/** Browser applications of other origins may use the API: only they know the credentials in the header. */
const commonHeaders = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store, private',
  'x-content-type-options': 'nosniff',
};

/**
 * For a server behind TLS: browsers then open it with TLS only, for a year. It names this host alone. Others of the domain may have no TLS,
 * and each organization's host sends its own.
 */
const secureTransport = { 'strict-transport-security': 'max-age=31536000' };

/** Headers of tus requests, for uploads that continue after an interruption. */
const RESUMABLE_HEADERS = ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'Upload-Defer-Length'];

/** The response to the question of browsers before they let such an application send credentials. */
const preflightHeaders = {
  'access-control-allow-headers': `Authorization, Content-Type, ${RESUMABLE_HEADERS.join(', ')}`,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, HEAD',
};

/**
 * The queue of connections to accept; the system may allow fewer (`net.core.somaxconn`). A client without a place in it retries after one
 * second and then three. After a restart all clients connect at once.
 */
const backlog = 65_535;

const noQuery = Object.freeze({});

/** Creates the server. It serves when `listen` has resolved. */
export async function createHttpServer<Organization, Caller>(
  options: HttpServerOptions<Organization, Caller>,
): Promise<HttpServer> {
  const { routes, authenticator, log, url, version, cookies } = options;
  const { bodyLimit = DEFAULT_MAX_BODY_BYTES, slowReaders = new SlowReaders() } = options;
  const limits = options.limits === 'off' ? undefined : (options.limits ?? limitsBy());
  const responsePipeline = new ResponsePipeline({
    log,
    slowReaders,
    onAnswer: options.onAnswer,
    outageOf: options.outageOf,
  });
  const headers = { ...commonHeaders, ...(url?.startsWith('https:') && secureTransport) };
  const fail: Fail = (error, request, reply) => {
    const write = isWrite(request) ? { hasCommitted: request.timeSpent?.hasCommitted ?? false } : undefined;
    const refusal = responsePipeline.faultOf(error, request.routeOptions.bodyLimit, () => describe(request), write);
    forgetFile(reply, refusal);
    reply.headers(headers);
    return refuse(request, reply, refusal, options);
  };

  const app = framework(bodyLimit, proxyTrust(options.trustProxy), fail);
  slowReaders.watch(app.server);
  app.decorateRequest('admission', null);
  app.decorateRequest('timeSpent', null);
  readForms(app);
  const timer = new RequestTimer(log, options.slowRequestMs ?? DEFAULT_SLOW_REQUEST_MS);
  addHooks(app, responsePipeline, { log, timer, headers }, (request) => {
    const admission = request.admission as Admission<Organization, Caller> | null;
    return requesterOf(authenticator, admission?.caller, request.ip);
  });
  app.setErrorHandler(fail);
  const paths = new PathTable(routes);
  app.setNotFoundHandler((request, reply) => answerUnrouted(paths, request, reply, options));
  const slots = new RequestSlots();
  const serving = { authenticator, limits, slots, bodyLimit, log, cookies, responsePipeline, timer };
  for (const route of routes) if (route.body.takes === 'form') serveRoute(app, route, serving);
  await app.register(async (scope) => {
    leaveBodies(scope);
    for (const route of routes) if (route.body.takes !== 'form') serveRoute(scope, route, serving);
  });
  if (options.readiness !== undefined) serveHealth(app, options.readiness);
  serveDocumentation(app, { endpoints: routes.map(({ endpoint }) => endpoint), url, version });

  const stopAccepting = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    // The method of an HTTP server would also close idle connections, on which a request may be on its way.
    Server.prototype.close.call(app.server, () => resolve());
    return promise;
  };
  return {
    app,
    stopAccepting,
    async listen(host, port) {
      await app.listen({ host, port, backlog });
      const address = app.server.address();
      if (address === null || typeof address === 'string') throw new Error('the server listens on no TCP port');
      return address;
    },
    beginDraining() {
      responsePipeline.isStopping = true;
    },
    async stop(withinMilliseconds) {
      responsePipeline.isStopping = true;
      const deadline = setTimeout(() => app.server.closeAllConnections(), withinMilliseconds);
      // To close a connection with unread bytes resets it. A proxy cannot repeat a request that it has sent, and answers 502.
      await readArrived();
      void stopAccepting();
      await readArrived();
      await app.close();
      clearTimeout(deadline);
    },
  };
}

/** Resolves when connections and bytes that had arrived before are accepted and read. */
async function readArrived(): Promise<void> {
  // The event loop asks the system for both between two turns. The first one may already be over with that.
  await nextTurn();
  await nextTurn();
}

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

function framework(bodyLimit: number, trust: ProxyTrust | undefined, fail: Fail): FastifyInstance {
  return fastify({
    // Fastify's logger would cost as much per request as all else. Code that logs here names the request itself.
    logger: false,
    bodyLimit,
    trustProxy: trust ?? false,
    genReqId: requestIds(trust),
    rewriteUrl: (request) => routedUrl(request),
    // A route limits the time of its body; Node limits the header (60 s).
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    // Routes read the query themselves (bodies.ts).
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_LENGTH, querystringParser: () => noQuery },
    // Routes validate themselves, so Fastify's validators are not loaded.
    schemaController: { compilersFactory: { buildValidator: notNeeded, buildSerializer: notNeeded } },
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders).header('x-request-id', request.id);
      fail(error, request, reply as unknown as FastifyReply);
    },
    clientErrorHandler: answerBrokenConnection,
  });
}

function addHooks(
  app: FastifyInstance,
  responsePipeline: ResponsePipeline,
  {
    log,
    timer,
    headers,
  }: {
    readonly log: FastifyBaseLogger;
    readonly timer: RequestTimer;
    readonly headers: Readonly<Record<string, string>>;
  },
  ownerOf: (request: FastifyRequest) => string,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.timeSpent = new TimeSpent();
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    if (request.is404) expectForm(request.raw);
    done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    done(encodingRefusal(request), payload);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (responsePipeline.isStopping) reply.header('connection', 'close');
    responsePipeline.discardRequestAfter(reply.raw);
    const { endpoint } = request.routeOptions.config;
    const note = (status: number): void => {
      countAnswer(endpoint, status);
      timer.note({ request, describe: () => describe(request), isUpload: isUpload(request) }, status);
    };
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
      note(reply.statusCode);
      return done(null, payload);
    }
    const answer = responsePipeline.checked(endpoint, reply.statusCode, payload, () => describe(request));
    if (answer.status !== reply.statusCode) reply.code(answer.status);
    note(answer.status);
    responsePipeline.writing(reply.raw, answer.body, () => ownerOf(request));
    done(null, answer.body);
  });
  // A line for each of thousands of polls per second is only useful while searching for a fault.
  if (log.level !== 'debug' && log.level !== 'trace') return;
  app.addHook('onResponse', (request, reply, done) => {
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
    log.debug({ ...describe(request), status: reply.statusCode, milliseconds }, 'answered');
    done();
  });
}

function notNeeded(): never {
  throw new Error('no route of ours has a schema of Fastify');
}

/** Unique among processes and starts, short enough for every log line. */
function requestIds(trust: ProxyTrust | undefined): (request: IncomingMessage) => string {
  const start = randomBytes(6).toString('base64url');
  let last = 0;
  return (request) => {
    const given = requestIdOf(request, trust);
    if (given !== undefined) return given;
    last += 1;
    return `${start}-${last.toString(36)}`;
  };
}

/** Whether the client sends a file or bytes, which takes as long as it likes. */
function isUpload({ headers }: FastifyRequest): boolean {
  return (
    headers['content-type'] !== undefined && !headers['content-type'].startsWith('application/x-www-form-urlencoded')
  );
}

function answerUnrouted(
  paths: PathTable,
  request: FastifyRequest,
  reply: FastifyReply,
  options: RefusalOptions,
): FastifyReply {
  const path = pathOf(request);
  const allowed = paths.methodsOf(path);
  // People omit the slash at the end.
  if (allowed.length === 0 && (request.method === 'GET' || request.method === 'HEAD') && paths.hasPage(`${path}/`)) {
    return sendRedirect(reply, redirect((request.raw.url ?? '').replace(/\?|$/, '/$&')));
  }
  if (allowed.length === 0) return refuse(request, reply, notFound(), options);
  reply.header('allow', allowed.join(', '));
  return request.method === 'OPTIONS'
    ? reply
        .code(204)
        .headers({ ...preflightHeaders, ...paths.capabilitiesOf(path) })
        .send()
    : refuse(request, reply, methodNotAllowed(allowed), options);
}

/** The path without its query, decoded if possible. */
function pathOf(request: FastifyRequest): string {
  const path = (request.raw.url ?? '').replace(/\?.*$/s, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** What logs say about a request. Unknown paths can contain anything, such as the token of a mistyped link, so they are not logged. */
function describe(request: FastifyRequest): object {
  const { endpoint } = request.routeOptions.config;
  return {
    reqId: request.id,
    method: request.method,
    path: endpoint ? fullPathOf(endpoint) : (request.routeOptions.url ?? 'unknown'),
    address: request.ip,
  };
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}
