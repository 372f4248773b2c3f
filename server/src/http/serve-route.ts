/**
 * One route of the contract in the server: admit the request, open its body, decode the parameters, call the handler, respond.
 *
 * Example: a member sends `POST /api/v1/messages` while two of their other requests run.
 *
 * 1. `onRequest` calls `admit`, which finds the organization and the member and counts the request. The body is still unread.
 * 2. Fastify reads the form. `serve` sees a form and calls `serveInTurn`.
 * 3. Both concurrency slots of the account are taken, so `running.enter` returns a promise. The request waits.
 * 4. A slot becomes free. `admittedStill` authenticates again: the account could have been deactivated meanwhile.
 * 5. `openAndAnswer` opens the body and calls `answer`, which decodes the parameters and awaits the handler.
 * 6. `respond` sends a short response through Fastify. It sends a long or compressed one through the `Outlet`, which bounds its memory.
 * 7. `running.leave` starts the next waiting request of the account.
 *
 * A poll (`GET /events`) differs in step 6. Its handler returns a `HeldAnswer`, `hold` keeps only the response object, and step 7 frees the
 * slot.
 */
import type { ServerResponse } from 'node:http';
import { type Endpoint, fullPathOf, otherResponseOf, type Parameters } from '@heddle/api/contract.ts';
import { payloadTooLarge } from '@heddle/api/errors.ts';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, admit, admittedStill, isSpectating, limitLogin, requesterOf } from './admission.ts';
import { FileAnswer, PageAnswer, ProtocolAnswer, RedirectAnswer } from './answers.ts';
import { AdmittedRequest } from './api-request.ts';
import { queryOf } from './bodies.ts';
import { type CookieRules, RequestCookies } from './cookies.ts';
import { checkWrite } from './csrf.ts';
import { successBody } from './envelope.ts';
import type { Fields } from './fields.ts';
import { type OptionalFileForm, openFileForm, openOptionalFileForm, type UploadedFile } from './file-bodies.ts';
import { hold } from './held-response.ts';
import type { Limits } from './limits.ts';
import { networkOf } from './networks.ts';
import { LARGE_RESPONSE_BYTES, lengthOf, type Outlet } from './outlet.ts';
import { decoderOf } from './parameters.ts';
import { restOfPathName, routerPath } from './paths.ts';
import type { SerializedJson } from './raw-json.ts';
import { type BodyLimits, expectForm, openBody } from './request-bodies.ts';
import {
  type Gatekeeper,
  HeldAnswer,
  type IncomingBytes,
  type ProtocolRequest,
  type Route,
  type RouteBody,
} from './route.ts';
import type { Running } from './running.ts';
import { sendFile } from './serve-file.ts';
import { sendPage, sendRedirect } from './serve-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** An `Admission`, after the request was admitted. Its types are those of the route that admitted it. */
    admission: unknown;
  }
  interface FastifyContextConfig {
    /** The endpoint of the contract that the route serves, if any. */
    endpoint?: Endpoint;
  }
}

export interface ServingOptions<Organization, Caller> {
  readonly gatekeeper: Gatekeeper<Organization, Caller>;
  /** Undefined: no limits. */
  readonly limits: Limits | undefined;
  readonly running: Running;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly log: FastifyBaseLogger;
  readonly outlet: Outlet;
  /** Undefined: the server sets no cookies and has no sessions. */
  readonly cookies: CookieRules | undefined;
}

/** The size limit of forms that need no credentials, in bytes. */
const anonymousBodyLimit = 64 * 1024;

/** What a request contains besides its path and its query. */
interface Incoming {
  readonly fields: Fields | undefined;
  /** For the handler. */
  readonly body: UploadedFile | IncomingBytes | ProtocolRequest | undefined;
  /** The names of fields that came too late to use. They are known when the handler is done. */
  ignored?(): readonly string[];
  close?(): void;
}

/** Registers the route. The caller has decorated the server with `request.admission`. */
export function serveRoute<Organization, Caller>(
  app: FastifyInstance,
  route: Route<Organization, Caller>,
  { gatekeeper, limits, running, bodyLimit, log, outlet, cookies }: ServingOptions<Organization, Caller>,
): void {
  const { endpoint } = route;
  const restName = restOfPathName(endpoint);
  const givesFile = otherResponseOf(endpoint)?.gives === 'file';
  const open = openerOf(route.body);
  const ownerOf = (caller: unknown, address: string) => requesterOf(gatekeeper, caller as Caller | undefined, address);
  const holding = { endpoint, outlet, bodyLimit, ownerOf, mayCompress: route.mayCompress };
  const isWrite = endpoint.method !== 'GET' && endpoint.method !== 'HEAD';
  // The sender of a page's form has loaded a page of ours before.
  const isOfPage = isWrite && ['page', 'redirect'].includes(otherResponseOf(endpoint)?.gives ?? '');

  app.route({
    // Fastify's own HEAD would read the whole file and discard it.
    method: givesFile ? ['GET', 'HEAD'] : endpoint.method,
    exposeHeadRoute: !givesFile,
    url: routerPath(endpoint),
    bodyLimit: endpoint.authentication === 'none' ? Math.min(bodyLimit, anonymousBodyLimit) : bodyLimit,
    config: { endpoint },

    // This runs before the body is read, so a client without credentials cannot fill the memory.
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

    // Not a promise: Fastify would await it and keep it for as long as the request is held.
    handler: (request, reply) => {
      serve(request, reply).catch((error) => reply.send(error));
    },
  });

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const admission = request.admission as Admission<Organization, Caller>;
    // A stream takes as long as its client needs to send it, so it holds no slot.
    if (route.body.takes !== 'form') return openAndAnswer(request, reply);
    if (givesFile && route.limit === 'files') return serveFile(request, reply, admission);
    return serveInTurn(request, reply, admission, false);
  }

  /** @param hasWaited the request has already waited for another slot: the caller may have changed meanwhile */
  async function serveInTurn(
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission<Organization, Caller>,
    hasWaited: boolean,
  ): Promise<void> {
    const { caller } = admission;
    if (isSpectating(endpoint, caller)) return serveSpectator(request, reply);
    if (caller === undefined) return openAndAnswer(request, reply);
    const account = requesterOf(gatekeeper, caller, request.ip);
    const turn = running.enter(account, weightOf(request));
    if (turn !== undefined) await turn;
    try {
      // The client has disconnected while its request waited.
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

  /**
   * The check of access takes an ordinary slot of the account. While the file is sent, it only takes a slot for files of the same reader.
   */
  async function serveFile(
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission<Organization, Caller>,
  ): Promise<void> {
    const reader = requesterOf(gatekeeper, admission.caller, request.ip);
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
    const { values, ignored } = decoderOf(endpoint)(pathFields(request, restName), query, incoming.fields);
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
    if (given instanceof HeldAnswer) hold(reply, given, holding, admission.caller, ignored);
    else if (given instanceof FileAnswer) await sendFile(request, reply, given);
    else if (given instanceof PageAnswer) sendPage(reply, given);
    else if (given instanceof RedirectAnswer) sendRedirect(reply, given);
    else if (given instanceof ProtocolAnswer) reply.code(given.status).headers(given.headers).send(given.body);
    else {
      const late = incoming.ignored?.() ?? [];
      const body = successBody(given, late.length === 0 ? ignored : [...(ignored ?? []), ...late]);
      await respond(request, reply, body, () => route.mayCompress(given));
    }
  }

  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    body: SerializedJson,
    mayCompress: () => boolean,
  ): Promise<void> {
    // The handler has read the form. A client may take a minute to read the response.
    request.body = undefined;
    const bytes = lengthOf(body);
    const accepted = outlet.codingsFor(request.raw, bytes);
    const codings = accepted === undefined || mayCompress() ? accepted : undefined;
    if (codings === undefined && bytes <= LARGE_RESPONSE_BYTES) {
      reply.header('content-type', 'application/json');
      reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : Buffer.concat(body, bytes));
      return;
    }
    const checked = outlet.checked(endpoint, 200, body, () => ({ reqId: request.id, path: fullPathOf(endpoint) }));
    const { caller } = request.admission as Admission<Organization, Caller>;
    const owner = () => ownerOf(caller, request.ip);
    const leaving = { ...checked, response: reply.raw, headers: reply.getHeaders(), owner };
    reply.hijack();
    if (codings === undefined) outlet.write(leaving);
    else await outlet.writeCompressed(leaving, bytes, codings);
  }

  /** The key that counts failed logins; undefined where the request is no login. */
  function loginKey({ organization, caller }: Admission<Organization, Caller>, values: unknown): string | undefined {
    if (caller !== undefined && route.showsPassword(values)) return `password of ${gatekeeper.limiterKey(caller)}`;
    if (route.limit !== 'login') return undefined;
    return `${gatekeeper.organizationKey(organization)}\n${route.account(values).trim().toLowerCase().slice(0, 320)}`;
  }
}

/** Resolves when the response was sent or its client has disconnected. */
async function closed(answer: ServerResponse): Promise<void> {
  if (!answer.closed) await new Promise<void>((resolve) => answer.once('close', resolve));
}

/** A route lets accounts send more. A form without credentials must declare its size, and the size must be small. */
function refuseLargeForm(request: FastifyRequest): void {
  if (weightOf(request) > anonymousBodyLimit) throw payloadTooLarge(anonymousBodyLimit);
}

/** The size of a form in bytes. A form without a declared size counts as the largest that its route accepts. */
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
