/** One route of the contract in the server: admit, open the body, decode, handle, answer. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type Endpoint, otherResponseOf, type Parameters } from '@heddle/api/contract.ts';
import { payloadTooLarge } from '@heddle/api/errors.ts';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, admit, admittedStill, isSpectating, limitLogin } from './admission.ts';
import { FileAnswer, PageAnswer, ProtocolAnswer, RedirectAnswer } from './answers.ts';
import { AdmittedRequest } from './api-request.ts';
import { queryOf } from './bodies.ts';
import { type CookieRules, RequestCookies } from './cookies.ts';
import { checkWrite } from './csrf.ts';
import { successBody } from './envelope.ts';
import { type OptionalFileForm, openFileForm, openOptionalFileForm, type UploadedFile } from './file-bodies.ts';
import { hold } from './held-response.ts';
import type { Limits } from './limits.ts';
import { networkOf } from './networks.ts';
import type { Outlet } from './outlet.ts';
import { compileParameters, type Fields } from './parameters.ts';
import { restOfPathName, routerPath } from './paths.ts';
import { type BodyLimits, expectForm, openBody } from './request-bodies.ts';
import {
  type Gatekeeper,
  HeldAnswer,
  type IncomingBytes,
  type ProtocolRequest,
  type Route,
  type RouteBody,
  type SerializedJson,
} from './route.ts';
import type { Running } from './running.ts';
import { sendFile } from './serve-file.ts';
import { sendPage, sendRedirect } from './serve-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** An `Admission`, once the request was let in; its types are those of the route that let it in. */
    admission: unknown;
  }
  interface FastifyContextConfig {
    /** The endpoint that the route serves, if it is one of the contract's. */
    endpoint?: Endpoint;
  }
}

export interface ServingOptions<Organization, Caller> {
  readonly gatekeeper: Gatekeeper<Organization, Caller>;
  /** Nothing is limited without. */
  readonly limits: Limits | undefined;
  readonly running: Running;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly log: FastifyBaseLogger;
  readonly outlet: Outlet;
  /** Nothing is kept by browsers, and there are no sessions, without. */
  readonly cookies: CookieRules | undefined;
}

/** What requires no credentials takes no large forms either: bytes. */
const anonymousBodyLimit = 64 * 1024;

/** What came with a request besides what is in its path and its query. */
interface Incoming {
  readonly fields: Fields | undefined;
  /** For the handler. */
  readonly body: UploadedFile | IncomingBytes | ProtocolRequest | undefined;
  /** Names that nobody could heed any more; known when the handler is done. */
  ignored?(): readonly string[];
  close?(): void;
}

/** Registers the route. The server has `request.admission` decorated. */
export function serveRoute<Organization, Caller>(
  app: FastifyInstance,
  route: Route<Organization, Caller>,
  { gatekeeper, limits, running, bodyLimit, log, outlet, cookies }: ServingOptions<Organization, Caller>,
): void {
  const { endpoint } = route;
  const decode = compileParameters(endpoint);
  const restName = restOfPathName(endpoint);
  const givesFile = otherResponseOf(endpoint)?.gives === 'file';
  const open = openerOf(route.body);
  const holding = { endpoint, outlet, bodyLimit };
  const isWrite = endpoint.method !== 'GET' && endpoint.method !== 'HEAD';
  // Whoever posts the form of a page has a page of ours before them.
  const isOfPage = isWrite && ['page', 'redirect'].includes(otherResponseOf(endpoint)?.gives ?? '');

  app.route({
    // Fastify's own HEAD would read the whole file to throw it away.
    method: givesFile ? ['GET', 'HEAD'] : endpoint.method,
    exposeHeadRoute: !givesFile,
    url: routerPath(endpoint),
    bodyLimit: endpoint.authentication === 'none' ? Math.min(bodyLimit, anonymousBodyLimit) : bodyLimit,
    config: { endpoint },

    // Before the body is read: nobody fills our memory without credentials.
    onRequest: (request, reply, done) => {
      const enter = (admission: Admission<Organization, Caller>): void => {
        request.admission = admission;
        if (isSpectating(endpoint, admission.caller)) refuseLargeForm(request);
        if (route.body.takes === 'form') expectForm(request.raw);
        done();
      };
      const admission = admit(gatekeeper, limits, route, request, reply, cookies);
      if (admission instanceof Promise) admission.then(enter).catch(done);
      else enter(admission);
    },

    // Not a promise: Fastify would wait for it, and keep it for as long as a request is held.
    handler: (request, reply) => {
      serve(request, reply).catch((error) => reply.send(error));
    },
  });

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const admission = request.admission as Admission<Organization, Caller>;
    // What comes as a stream takes as long as its client takes to send it.
    if (route.body.takes !== 'form') return openAndAnswer(request, reply);
    if (givesFile && route.limit === 'files') return serveFile(request, reply, admission);
    return serveInTurn(request, reply, admission, false);
  }

  /** @param hasWaited for another turn: who asks may have changed meanwhile */
  async function serveInTurn(
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission<Organization, Caller>,
    hasWaited: boolean,
  ): Promise<void> {
    const { caller } = admission;
    if (isSpectating(endpoint, caller)) return serveSpectator(request, reply);
    if (caller === undefined) return openAndAnswer(request, reply);
    const account = accountOf(caller);
    const turn = running.enter(account, weightOf(request));
    if (turn !== undefined) await turn;
    try {
      // Nobody reads the answer of one whose client has hung up while it waited.
      if (turn !== undefined && reply.raw.destroyed) return;
      if (turn !== undefined || hasWaited || request.method !== 'GET') {
        const still = admittedStill(gatekeeper, admission, request);
        request.admission = still instanceof Promise ? await still : still;
      }
      await openAndAnswer(request, reply);
    } finally {
      running.leave(account);
    }
  }

  /** Who may have it is found in the turn of all requests; while it is sent, it is in nobody's way but of other files for the same reader. */
  async function serveFile(
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission<Organization, Caller>,
  ): Promise<void> {
    const reader = admission.caller === undefined ? networkOf(request.ip) : accountOf(admission.caller);
    const turn = running.enterForFile(reader);
    if (turn !== undefined) await turn;
    try {
      if (reply.raw.destroyed) return;
      await serveInTurn(request, reply, admission, turn !== undefined);
      await closed(reply.raw);
    } finally {
      running.leaveFile(reader);
    }
  }

  function accountOf(caller: Caller): string {
    const owner = gatekeeper.ownerKey(caller);
    return owner === undefined ? gatekeeper.limiterKey(caller) : `bots of ${owner}`;
  }

  async function serveSpectator(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const network = networkOf(request.ip);
    await running.enterAsSpectator(network, weightOf(request));
    try {
      if (!reply.raw.destroyed) await openAndAnswer(request, reply);
    } finally {
      running.leaveAsSpectator(network);
    }
  }

  async function openAndAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const opened = open(request);
    const incoming = opened instanceof Promise ? await opened : opened;
    try {
      await answer(request, reply, incoming);
    } finally {
      incoming.close?.();
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, incoming: Incoming): Promise<void> {
    const admission = request.admission as Admission<Organization, Caller>;
    const query = queryOf(request.raw.url ?? '');
    const proof = { fields: incoming.fields, isBytes: route.body.takes === 'bytes' || route.body.takes === 'protocol' };
    if (cookies !== undefined && isWrite && (isOfPage || admission.session !== undefined)) {
      checkWrite(request, { ...proof, cookies: new RequestCookies(cookies, request.headers.cookie), ...cookies });
    }
    const { values, ignored } = decode(pathFields(request, restName), query, incoming.fields);
    // The decoder made them by this endpoint's schemas.
    const parameters = values as Parameters<Endpoint>;
    const client = incoming.fields?.client ?? query.client;
    const admitted = new AdmittedRequest(request, log, admission, parameters, client, incoming.body, cookies);
    const login = loginKey(admission, values);
    const given =
      login === undefined
        ? await route.handle(admitted)
        : await limitLogin(limits, login, request.ip, reply, async () => route.handle(admitted));
    const { newCookies } = admitted;
    if (newCookies.length > 0) reply.header('set-cookie', newCookies);
    if (given instanceof HeldAnswer) hold(reply, given, holding, ignored);
    else if (given instanceof FileAnswer) await sendFile(request, reply, given);
    else if (given instanceof PageAnswer) sendPage(reply, given);
    else if (given instanceof RedirectAnswer) sendRedirect(reply, given);
    else if (given instanceof ProtocolAnswer) reply.code(given.status).headers(given.headers).send(given.body);
    else {
      const late = incoming.ignored?.() ?? [];
      answerWith(reply, successBody(given, late.length === 0 ? ignored : [...(ignored ?? []), ...late]));
    }
  }

  /** Whose failed logins the request counts among; undefined where it is none. */
  function loginKey({ organization, caller }: Admission<Organization, Caller>, values: unknown): string | undefined {
    if (caller !== undefined && route.showsPassword(values)) return `password of ${gatekeeper.limiterKey(caller)}`;
    if (route.limit !== 'login') return undefined;
    return `${gatekeeper.organizationKey(organization)}\n${route.account(values).trim().toLowerCase().slice(0, 320)}`;
  }
}

/** Resolves when the answer was sent, or its client is gone. */
async function closed(answer: ServerResponse): Promise<void> {
  if (!answer.closed) await new Promise<void>((resolve) => answer.once('close', resolve));
}

/** Without credentials a form says how large it is, and is not large: its route lets accounts send more. */
function refuseLargeForm(request: FastifyRequest): void {
  if (weightOf(request) > anonymousBodyLimit) throw payloadTooLarge(anonymousBodyLimit);
}

/** How many bytes a form has: as many as it may have where the client does not say. */
function weightOf({ headers, routeOptions }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return routeOptions.bodyLimit ?? 0;
  return Number(headers['content-length'] ?? 0);
}

function openerOf(body: RouteBody): (request: FastifyRequest) => Promise<Incoming> | Incoming {
  switch (body.takes) {
    case 'form':
      return formOf;
    case 'file':
      return (request) => opened(openFileForm(request, body.limits));
    case 'optional-file':
      return (request) => opened(openOptionalFileForm(request, body.limits));
    case 'bytes':
    case 'protocol':
      return (request) => openBytes(request, body.limits);
  }
}

function formOf(request: FastifyRequest): Incoming {
  return { fields: (request.body ?? undefined) as Fields | undefined, body: undefined };
}

async function opened(opening: Promise<OptionalFileForm>): Promise<Incoming> {
  const form = await opening;
  return { fields: form.fields, body: form.file, ignored: form.fieldsTooLate, close: form.close };
}

function openBytes(request: FastifyRequest, limits: BodyLimits): Incoming {
  const { content, close } = openBody(request, limits);
  const { method, headers } = request;
  const origin = URL.parse(`${request.protocol}://${request.host}`)?.origin ?? '';
  const { 'content-type': contentType, 'content-length': length } = headers;
  return {
    fields: undefined,
    body: { contentType, length: length === undefined ? undefined : Number(length), content, method, origin, headers },
    close,
  };
}

function pathFields(request: FastifyRequest, restName: string | undefined): Fields {
  const fields = request.params as Fields;
  return restName === undefined ? fields : { ...fields, [restName]: fields['*'] };
}

/** Above so many bytes the pieces of an answer are not copied together: they are sent in turn, as fast as the client takes them. */
const LARGE_ANSWER = 256 * 1024;

function answerWith(reply: FastifyReply, body: SerializedJson): FastifyReply {
  reply.header('content-type', 'application/json');
  if (typeof body === 'string' || Buffer.isBuffer(body)) return reply.send(body);
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= LARGE_ANSWER) return reply.send(Buffer.concat(body, length));
  return reply.header('content-length', length).send(Readable.from(body, { objectMode: false }));
}
