/**
 * One route of the contract in the server: admit the request, open its body, decode the parameters, call the handler, respond.
 *
 * Example: a member sends `POST /api/v1/messages` while two of their other requests run.
 *
 * 1. `onRequest` calls `admit`, which finds the organization and the member and counts the request. The body is still unread.
 * 2. Fastify reads the form. `serve` sees a form and calls `#inTurn`.
 * 3. Both concurrency slots of the account are taken, so `slots.accounts.run` lets the request wait.
 * 4. A slot becomes free. `admittedStill` authenticates again: the account could have been deactivated meanwhile.
 * 5. `#withOpened` opens the body. `#answer` decodes the parameters and awaits the handler.
 * 6. `#send` sends a short response through Fastify. It sends a long or compressed one through the `ResponsePipeline`, which bounds its memory.
 * 7. The slot goes to the next waiting request of the account.
 *
 * A poll (`GET /events`) differs in step 6. Its handler returns a `HeldAnswer`, `hold` keeps only the response object, and step 7 frees the
 * slot. A file differs too: it is opened and sent after step 7.
 */
import type { ServerResponse } from 'node:http';
import { type Endpoint, fullPathOf, otherResponseOf, type Parameters } from '@heddle/api/contract.ts';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestsWaited } from '../measures.ts';
import { TimeSpent, within } from '../time-spent.ts';
import { FileAnswer, PageAnswer, ProtocolAnswer, RedirectAnswer } from './answers/answers.ts';
import { successBody } from './answers/envelope.ts';
import type { SerializedJson } from './answers/raw-json.ts';
import { queryOf } from './bodies/bodies.ts';
import { expectForm } from './bodies/request-bodies.ts';
import type { Limits } from './limits/limits.ts';
import { networkOf } from './limits/networks.ts';
import type { RequestSlots } from './limits/running.ts';
import { sendPage, sendRedirect } from './pages/serve-page.ts';
import { decoderOf } from './parameters/parameters.ts';
import {
  type Admission,
  accountOfAttempt,
  admit,
  admittedStill,
  isSpectating,
  limitLogin,
  requesterOf,
} from './requests/admission.ts';
import { AdmittedRequest } from './requests/api-request.ts';
import { type CookieRules, RequestCookies } from './requests/cookies.ts';
import { checkWrite } from './requests/csrf.ts';
import {
  type Incoming,
  MAX_ANONYMOUS_BODY_BYTES,
  openerOf,
  pathFields,
  refuseLargeForm,
  weightOf,
} from './requests/incoming.ts';
import { restOfPathName, routerPath } from './requests/paths.ts';
import { type Authenticator, HeldAnswer, type Route } from './requests/route.ts';
import { type Holding, hold } from './responses/held-response.ts';
import { countAnswer, type RequestTimer } from './responses/measuring.ts';
import {
  LARGE_RESPONSE_BYTES,
  lengthOf,
  MIN_COMPRESSED_BYTES,
  MIN_COMPRESSED_POLL_BYTES,
  type ResponsePipeline,
} from './responses/response-pipeline.ts';
import { sendFile } from './responses/serve-file.ts';

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
  readonly authenticator: Authenticator<Organization, Caller>;
  /** Undefined: no limits. */
  readonly limits: Limits | undefined;
  readonly slots: RequestSlots;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly log: FastifyBaseLogger;
  readonly responsePipeline: ResponsePipeline;
  readonly timer: RequestTimer;
  /** Undefined: the server sets no cookies and has no sessions. */
  readonly cookies: CookieRules | undefined;
}

/** Registers the route. The caller has decorated the server with `request.admission`. */
export function serveRoute<Organization, Caller>(
  app: FastifyInstance,
  route: Route<Organization, Caller>,
  options: ServingOptions<Organization, Caller>,
): void {
  const { endpoint, body } = route;
  const { authenticator, limits, bodyLimit, cookies } = options;
  const respondsWithFile = otherResponseOf(endpoint)?.kind === 'file';
  const served = new ServedRoute(route, options);
  app.route({
    // Fastify's own HEAD would read the whole file and discard it.
    method: respondsWithFile ? ['GET', 'HEAD'] : endpoint.method,
    exposeHeadRoute: !respondsWithFile,
    url: routerPath(endpoint),
    bodyLimit: endpoint.authentication === 'none' ? Math.min(bodyLimit, MAX_ANONYMOUS_BODY_BYTES) : bodyLimit,
    config: { endpoint },

    // This runs before the body is read, so a client without credentials cannot fill the memory.
    onRequest: (request, reply, done) => {
      const time = timeOf(request);
      const enter = (admission: Admission<Organization, Caller>): void => {
        request.admission = admission;
        time.add('auth', performance.now() - time.begunAt);
        if (isSpectating(endpoint, admission.caller)) refuseLargeForm(request);
        if (body.takes === 'form') expectForm(request.raw);
        done();
      };
      const admission = within(time, () => admit(authenticator, limits, route, request, reply, cookies));
      if (admission instanceof Promise) admission.then(enter).catch(done);
      else enter(admission);
    },

    // Not a promise: Fastify would await it and keep it for as long as the request is held.
    handler: (request, reply) => {
      const time = timeOf(request);
      time.add('body', performance.now() - time.begunAt - time.in('auth'));
      within(time, () => served.serve(request, reply)).catch((error) => reply.send(error));
    },
  });
}

/** The hook of the server has set it. */
function timeOf(request: FastifyRequest): TimeSpent {
  request.timeSpent ??= new TimeSpent();
  return request.timeSpent;
}

class ServedRoute<Organization, Caller> {
  readonly #route: Route<Organization, Caller>;
  readonly #options: ServingOptions<Organization, Caller>;
  readonly #restName: string | undefined;
  readonly #open: (request: FastifyRequest) => Promise<Incoming> | Incoming;
  readonly #mayBeUpload: boolean;
  readonly #isFile: boolean;
  readonly #isWrite: boolean;
  /** The sender of a page's form has loaded a page of ours before. */
  readonly #isOfPage: boolean;
  readonly #holding: Holding;

  constructor(route: Route<Organization, Caller>, options: ServingOptions<Organization, Caller>) {
    const { endpoint, body, limit } = route;
    const { authenticator, responsePipeline, bodyLimit } = options;
    const kind = otherResponseOf(endpoint)?.kind;
    this.#route = route;
    this.#options = options;
    this.#restName = restOfPathName(endpoint);
    this.#open = openerOf(body);
    this.#mayBeUpload = body.takes !== 'form';
    this.#isFile = kind === 'file' && limit === 'files';
    this.#isWrite = endpoint.method !== 'GET' && endpoint.method !== 'HEAD';
    this.#isOfPage = this.#isWrite && (kind === 'page' || kind === 'redirect');
    const ownerOf = (caller: unknown, address: string) =>
      requesterOf(authenticator, caller as Caller | undefined, address);
    this.#holding = { endpoint, responsePipeline, bodyLimit, ownerOf, mayCompress: route.mayCompress };
  }

  async serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#isFile) return this.#serveFile(request, reply);
    const given = this.#mayBeUpload
      ? await this.#serveUpload(request, reply)
      : await this.#inTurn(request, reply, false);
    if (given !== undefined) await sendFile(request, reply, given);
  }

  /** An upload takes as long as its client needs to send it, so it holds no slot. A form without a file is served as any other form. */
  #serveUpload(request: FastifyRequest, reply: FastifyReply): Promise<FileAnswer | undefined> {
    return this.#withOpened(request, (incoming) =>
      incoming.body === undefined
        ? this.#inTurn(request, reply, false, incoming)
        : this.#answer(request, reply, incoming),
    );
  }

  /**
   * The check of access takes an ordinary slot of the account. The storage and the client may be slow, so opening and
   * sending the file takes only a slot for files of the same reader.
   */
  #serveFile(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const reader = this.#holding.ownerOf(this.#admission(request).caller, request.ip);
    return this.#options.slots.files.run(reader, async (hasWaited) => {
      if (reply.raw.destroyed) return;
      const given = await this.#inTurn(request, reply, hasWaited);
      if (given !== undefined) await sendFile(request, reply, given);
      await closed(reply.raw);
    });
  }

  /**
   * Returns the file that must still be sent, if any.
   * @param hasWaited whether it has waited for another slot. The caller may have changed meanwhile.
   * @param opened the body, if it is open already.
   */
  #inTurn(
    request: FastifyRequest,
    reply: FastifyReply,
    hasWaited: boolean,
    opened?: Incoming,
  ): Promise<FileAnswer | undefined> {
    const { authenticator, slots } = this.#options;
    const admission = this.#admission(request);
    const { caller } = admission;
    const answer = (): Promise<FileAnswer | undefined> =>
      opened === undefined
        ? this.#withOpened(request, (incoming) => this.#answer(request, reply, incoming))
        : this.#answer(request, reply, opened);
    if (isSpectating(this.#route.endpoint, caller)) {
      const serve = async () => (reply.raw.destroyed ? undefined : answer());
      return slots.runForSpectator(networkOf(request.ip), serve, weightOf(request));
    }
    if (caller === undefined) return answer();
    const askedAt = performance.now();
    const serve = async (hasWaitedHere: boolean): Promise<FileAnswer | undefined> => {
      if (hasWaitedHere) noteWait(request, performance.now() - askedAt);
      // The client has disconnected while its request waited.
      if (hasWaitedHere && reply.raw.destroyed) return undefined;
      if (hasWaitedHere || hasWaited || request.method !== 'GET') {
        const still = admittedStill(authenticator, this.#route.endpoint, admission, request);
        request.admission = still instanceof Promise ? await still : still;
      }
      return answer();
    };
    return slots.accounts.run(requesterOf(authenticator, caller, request.ip), serve, weightOf(request));
  }

  async #withOpened<Result>(request: FastifyRequest, serve: (incoming: Incoming) => Promise<Result>): Promise<Result> {
    const opened = this.#open(request);
    const incoming = opened instanceof Promise ? await opened : opened;
    try {
      return await serve(incoming);
    } finally {
      incoming.close?.();
    }
  }

  /** Responds, unless the response is a file: returns it. */
  async #answer(request: FastifyRequest, reply: FastifyReply, incoming: Incoming): Promise<FileAnswer | undefined> {
    const { log, cookies } = this.#options;
    const admission = this.#admission(request);
    const query = queryOf(request.raw.url ?? '');
    this.#checkWrite(request, admission, incoming);
    const { values, ignored } = decoderOf(this.#route.endpoint)(
      pathFields(request, this.#restName),
      query,
      incoming.fields,
    );
    // The decoder made them by this endpoint's schemas.
    const parameters = values as Parameters<Endpoint>;
    const client = incoming.fields?.client ?? query.client;
    const admitted = new AdmittedRequest(request, log, admission, parameters, client, incoming.body, cookies);
    const given = await this.#handle(admitted, admission, request, reply);
    const { newCookies } = admitted;
    if (newCookies.length > 0) reply.header('set-cookie', newCookies);
    if (given instanceof FileAnswer) return given;
    if (given instanceof HeldAnswer) {
      this.#note(request, 'held');
      hold(reply, given, this.#holding, admission.caller, ignored);
    } else if (given instanceof PageAnswer) sendPage(reply, given);
    else if (given instanceof RedirectAnswer) sendRedirect(reply, given);
    else if (given instanceof ProtocolAnswer) reply.code(given.status).headers(given.headers).send(given.body);
    else {
      const late = incoming.ignored?.() ?? [];
      const body = successBody(given, late.length === 0 ? ignored : [...(ignored ?? []), ...late]);
      await this.#send(request, reply, body, given);
    }
    return undefined;
  }

  #checkWrite(request: FastifyRequest, { session }: Admission<Organization, Caller>, { fields }: Incoming): void {
    const { cookies } = this.#options;
    if (cookies === undefined || !this.#isWrite || (!this.#isOfPage && session === undefined)) return;
    const { takes } = this.#route.body;
    const isBytes = takes === 'bytes' || takes === 'protocol';
    const { isSecure } = cookies;
    checkWrite(request, { fields, isBytes, isSecure, cookies: new RequestCookies(cookies, request.headers.cookie) });
  }

  /** Calls the handler. A request that contains a password counts as a login. */
  #handle(
    admitted: AdmittedRequest<Organization, Caller>,
    { organization, caller }: Admission<Organization, Caller>,
    { ip }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> | unknown {
    const { authenticator, limits } = this.#options;
    const route = this.#route;
    const { parameters } = admitted;
    const login = async () => route.handle(admitted);
    if (caller !== undefined && route.showsPassword(parameters)) {
      return limitLogin(limits, `password of ${authenticator.limiterKey(caller)}`, ip, reply, login);
    }
    if (route.limit !== 'login') return route.handle(admitted);
    const account = accountOfAttempt(route.account(parameters));
    return limitLogin(limits, `${authenticator.organizationKey(organization)}\n${account}`, ip, reply, login);
  }

  async #send(request: FastifyRequest, reply: FastifyReply, body: SerializedJson, given: unknown): Promise<void> {
    const { endpoint, responsePipeline, ownerOf, mayCompress } = this.#holding;
    // The handler has read the form. A client may take a minute to read the response.
    request.body = undefined;
    const bytes = lengthOf(body);
    const minBytes = this.#route.limit === 'polls' ? MIN_COMPRESSED_POLL_BYTES : MIN_COMPRESSED_BYTES;
    const accepted = responsePipeline.codingsFor(request.raw, bytes, minBytes);
    const codings = accepted === undefined || mayCompress(given) ? accepted : undefined;
    if (codings === undefined && bytes <= LARGE_RESPONSE_BYTES) {
      reply.header('content-type', 'application/json');
      reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : Buffer.concat(body, bytes));
      return;
    }
    const checked = responsePipeline.checked(endpoint, 200, body, () => ({
      reqId: request.id,
      path: fullPathOf(endpoint),
    }));
    countAnswer(endpoint, checked.status);
    this.#note(request, checked.status);
    const { caller } = this.#admission(request);
    const owner = () => ownerOf(caller, request.ip);
    const direct = { ...checked, response: reply.raw, headers: reply.getHeaders(), owner };
    reply.hijack();
    if (codings === undefined) responsePipeline.write(direct);
    else await responsePipeline.writeCompressed(direct, bytes, codings);
  }

  #note(request: FastifyRequest, status: number | 'held'): void {
    const describe = () => ({
      reqId: request.id,
      method: request.method,
      path: fullPathOf(this.#route.endpoint),
      address: request.ip,
    });
    this.#options.timer.note({ request, describe, isUpload: this.#mayBeUpload }, status);
  }

  #admission(request: FastifyRequest): Admission<Organization, Caller> {
    return request.admission as Admission<Organization, Caller>;
  }
}

function noteWait(request: FastifyRequest, milliseconds: number): void {
  request.timeSpent?.add('queue', milliseconds);
  requestsWaited.observe(milliseconds / 1000);
}

/** Resolves when the response was sent or its client has disconnected. */
async function closed(answer: ServerResponse): Promise<void> {
  if (!answer.closed) await new Promise<void>((resolve) => answer.once('close', resolve));
}
