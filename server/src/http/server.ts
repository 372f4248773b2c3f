/**
 * The HTTP server: the contract's routes under `/api/v1`, and the same answers to everything that goes wrong around them.
 * A request goes host → organization, limit, authenticate, body, parameters, handler, envelope.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fullPathOf, otherResponseOf } from '@heddle/api/contract.ts';
import { type ApiError, methodNotAllowed, notFound } from '@heddle/api/errors.ts';
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { page, redirect } from './answers.ts';
import { routedUrl } from './authentication.ts';
import { encodingRefusal, leaveBodies, readForms } from './bodies.ts';
import { answerBrokenConnection } from './connections.ts';
import type { CookieRules } from './cookies.ts';
import { serveDocumentation } from './documentation.ts';
import { errorBody } from './envelope.ts';
import { Limits } from './limits.ts';
import { errorHeaders, Outlet, type OutletOptions } from './outlet.ts';
import { PathTable } from './paths.ts';
import { expectForm } from './request-bodies.ts';
import type { Gatekeeper, Route } from './route.ts';
import { Running } from './running.ts';
import { forgetFile } from './serve-file.ts';
import { sendPage, sendRedirect } from './serve-page.ts';
import { serveRoute } from './serve-route.ts';
import { SlowReaders } from './slow-readers.ts';

export interface HttpServerOptions<Organization, Caller> extends Pick<OutletOptions, 'onAnswer' | 'outageOf'> {
  readonly routes: readonly Route<Organization, Caller>[];
  readonly gatekeeper: Gatekeeper<Organization, Caller>;
  readonly log: FastifyBaseLogger;
  /** Whose `X-Forwarded-*` headers count: nobody's (the default), everybody's, that many hops', or these addresses'. */
  readonly trustProxy?: boolean | number | readonly string[];
  /** The limiters; `'off'` for none. The default ones if not given. */
  readonly limits?: Limits | 'off';
  /** The default bounds if not given. */
  readonly slowReaders?: SlowReaders;
  /** Bytes that a form may have. */
  readonly bodyLimit?: number;
  /** The server's own version; the OpenAPI document names it. */
  readonly version: string;
  /** Where clients reach the server; the OpenAPI document says so. */
  readonly url?: string;
  /** How browsers keep sessions; there are none without. */
  readonly cookies?: CookieRules;
  /** The page that people see where they asked for one and got an error. */
  readonly errorPage?: (error: ApiError) => string;
}

export interface HttpServer {
  /** For what is not of the contract: further plugins and routes, before `listen`; `inject`, in tests. */
  readonly app: FastifyInstance;
  /** @returns the address, with the port that the system picked if it was 0 */
  listen(host: string, port: number): Promise<AddressInfo>;
  /**
   * Stops accepting, lets the requests in flight finish, closes every connection. After `withinMilliseconds` it cuts off
   * those that are left. Held polls have to be answered by their holder, meanwhile or before.
   */
  stop(withinMilliseconds: number): Promise<void>;
}

/** Every message of the largest size fits many times over; bulk requests carry lists of thousands of ids. */
const defaultBodyLimit = 4 * 1024 * 1024;
/** `GET` requests carry narrows and lists of ids in their query. */
const maximumHeaderSize = 32 * 1024;
/** The longest path parameters: fragments of navigation views, percent-encoded. */
const maximumPathParameter = 2000;
/** More than the 60 s that proxies commonly keep theirs, so that it is they who close first. */
const keepAliveMilliseconds = 75_000;

/** Browser applications of other origins may use the API: credentials are in a header that only they can know. */
const commonHeaders = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store, private',
  'x-content-type-options': 'nosniff',
};

/** What requests of tus carry, of uploads that go on where they were broken off. */
const RESUMABLE_HEADERS = ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'Upload-Defer-Length'];

/** What browsers ask before they let such an application send credentials. */
const preflightHeaders = {
  'access-control-allow-headers': `Authorization, Content-Type, ${RESUMABLE_HEADERS.join(', ')}`,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, HEAD',
};

/**
 * Connections that wait to be accepted; the system allows fewer where it says so (`net.core.somaxconn`). One that finds no room is
 * tried again by its client's system after a second, and then after three: all clients come at once after a restart.
 */
const backlog = 65_535;

const noQuery = Object.freeze({});

/** Builds the server; it serves when `listen` has resolved. */
export async function createHttpServer<Organization, Caller>(
  options: HttpServerOptions<Organization, Caller>,
): Promise<HttpServer> {
  const { routes, gatekeeper, log, bodyLimit = defaultBodyLimit, slowReaders = new SlowReaders() } = options;
  const limits = options.limits === 'off' ? undefined : (options.limits ?? new Limits());
  const endpoints = routes.map((route) => route.endpoint);
  const paths = new PathTable(routes);
  const outlet = new Outlet({ log, slowReaders, onAnswer: options.onAnswer, outageOf: options.outageOf });

  const app: FastifyInstance = fastify({
    // Its own would make a logger for each request, which costs as much as all else of one: who logs here names the request.
    logger: false,
    bodyLimit,
    trustProxy: trustedProxies(options.trustProxy),
    genReqId: requestIds(),
    rewriteUrl: (request) => routedUrl(request),
    // How long a body may take is its route's to say; Node bounds the header (60 s).
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMilliseconds,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: { maxHeaderSize: maximumHeaderSize },
    // Routes read the query themselves (bodies.ts).
    routerOptions: { maxParamLength: maximumPathParameter, querystringParser: () => noQuery },
    // Routes check what they take themselves: what Fastify would do it with is not loaded.
    schemaController: { compilersFactory: { buildValidator: notNeeded, buildSerializer: notNeeded } },
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders).header('x-request-id', request.id);
      fail(error, request, reply as unknown as FastifyReply);
    },
    clientErrorHandler: answerBrokenConnection,
  });

  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const told = outlet.faultOf(error, request.routeOptions.bodyLimit, () => describe(request));
    forgetFile(reply, told);
    reply.headers(commonHeaders);
    const { errorPage } = options;
    if (errorPage === undefined || !wantsPage(request)) return sendError(request, reply, told);
    reply.headers(errorHeaders(request.raw, told));
    return sendPage(reply, page(errorPage(told), { status: told.status }));
  };

  slowReaders.watch(app.server);
  app.decorateRequest('admission', null);
  readForms(app);
  app.setErrorHandler(fail);
  app.setNotFoundHandler((request, reply) => answerUnrouted(paths, request, reply));
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders);
    reply.header('x-request-id', request.id);
    if (request.is404) expectForm(request.raw);
    done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    done(encodingRefusal(request), payload);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (outlet.isStopping) reply.header('connection', 'close');
    outlet.leaving(reply.raw);
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    const { endpoint } = request.routeOptions.config;
    const answer = outlet.checked(endpoint, reply.statusCode, payload, () => describe(request));
    if (answer.status !== reply.statusCode) reply.code(answer.status);
    done(null, answer.body);
  });
  // A line for each of thousands of polls a second is for finding faults, not for every day.
  if (log.level === 'debug' || log.level === 'trace') {
    app.addHook('onResponse', (request, reply, done) => {
      log.debug(
        { ...describe(request), status: reply.statusCode, milliseconds: Math.round(reply.elapsedTime * 10) / 10 },
        'answered',
      );
      done();
    });
  }

  const serving = { gatekeeper, limits, running: new Running(), bodyLimit, log, cookies: options.cookies, outlet };
  for (const route of routes) if (route.body.takes === 'form') serveRoute(app, route, serving);
  await app.register(async (scope) => {
    leaveBodies(scope);
    for (const route of routes) if (route.body.takes !== 'form') serveRoute(scope, route, serving);
  });
  serveDocumentation(app, { endpoints, url: options.url, version: options.version });

  return {
    app,
    async listen(host, port) {
      await app.listen({ host, port, backlog });
      const address = app.server.address();
      if (address === null || typeof address === 'string') throw new Error('the server listens on no TCP port');
      return address;
    },
    async stop(withinMilliseconds) {
      outlet.isStopping = true;
      const cutOff = setTimeout(() => app.server.closeAllConnections(), withinMilliseconds);
      await app.close();
      clearTimeout(cutOff);
    },
  };
}

function notNeeded(): never {
  throw new Error('no route of ours has a schema of Fastify');
}

/** Unique among processes and starts, short enough for every log line. */
function requestIds(): () => string {
  const start = randomBytes(6).toString('base64url');
  let last = 0;
  return () => {
    last += 1;
    return `${start}-${last.toString(36)}`;
  };
}

type TrustedProxies = boolean | string[] | ((address: string, hop: number) => boolean);

function trustedProxies(trust: HttpServerOptions<unknown, unknown>['trustProxy'] = false): TrustedProxies {
  if (typeof trust === 'number') return (_, hop) => hop < trust;
  return typeof trust === 'boolean' ? trust : [...trust];
}

/** Who asks for a page in a browser is told in one what is wrong. */
function wantsPage({ headers, routeOptions }: FastifyRequest): boolean {
  const { endpoint } = routeOptions.config;
  const isOfPage = endpoint !== undefined && otherResponseOf(endpoint)?.gives === 'page';
  return isOfPage && (headers.accept?.includes('text/html') ?? false);
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  reply.headers(errorHeaders(request.raw, error));
  return reply.code(error.status).header('content-type', 'application/json').send(errorBody(error));
}

function answerUnrouted(paths: PathTable, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request);
  const allowed = paths.methodsOf(path);
  // People leave out the slash at the end.
  if (allowed.length === 0 && (request.method === 'GET' || request.method === 'HEAD') && paths.hasPage(`${path}/`)) {
    return sendRedirect(reply, redirect((request.raw.url ?? '').replace(/\?|$/, '/$&')));
  }
  if (allowed.length === 0) return sendError(request, reply, notFound());
  reply.header('allow', allowed.join(', '));
  return request.method === 'OPTIONS'
    ? reply
        .code(204)
        .headers({ ...preflightHeaders, ...paths.capabilitiesOf(path) })
        .send()
    : sendError(request, reply, methodNotAllowed(allowed));
}

/** The path without its query, decoded where that is possible. */
function pathOf(request: FastifyRequest): string {
  const path = (request.raw.url ?? '').replace(/\?.*$/s, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** What logs say of a request. Paths that we don't know may be anything, so only their beginning is logged. */
function describe(request: FastifyRequest): object {
  const { endpoint } = request.routeOptions.config;
  return {
    reqId: request.id,
    method: request.method,
    path: endpoint ? fullPathOf(endpoint) : pathOf(request).slice(0, 100),
    address: request.ip,
  };
}
