/** The answer to a request that is held: all that is kept of it meanwhile. */
import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { type Endpoint, fullPathOf } from '@heddle/api/contract.ts';
import type { FastifyReply } from 'fastify';
import { errorBody, successBody } from './envelope.ts';
import { errorHeaders, type Outlet } from './outlet.ts';
import type { HeldAnswer, HeldRequest } from './route.ts';

type Headers = Record<string, OutgoingHttpHeader | undefined>;

/** What all requests have in common that are held at one route. */
export interface Holding {
  readonly endpoint: Endpoint;
  readonly outlet: Outlet;
  /** Bytes. */
  readonly bodyLimit: number;
}

/**
 * Holds the request until its answer is there. The framework's objects for it are let go of, as thousands are held; so it is answered
 * past the framework.
 */
export function hold(
  reply: FastifyReply,
  answer: HeldAnswer<unknown>,
  holding: Holding,
  ignored: readonly string[] | undefined,
): void {
  const { raw } = reply;
  answer.begin(new HeldResponse(reply, holding, ignored));
  reply.hijack();
  if (raw.destroyed) answer.hungUp();
  // It closes with its connection, and when it was sent.
  else if (!raw.writableEnded) raw.on('close', () => answer.hungUp());
}

class HeldResponse implements HeldRequest<unknown> {
  readonly #raw: ServerResponse;
  readonly #headers: Headers;
  readonly #address: string;
  readonly #holding: Holding;
  readonly #ignored: readonly string[] | undefined;

  constructor(reply: FastifyReply, holding: Holding, ignored: readonly string[] | undefined) {
    this.#raw = reply.raw;
    this.#headers = reply.getHeaders();
    this.#address = reply.request.ip;
    this.#holding = holding;
    this.#ignored = ignored;
  }

  settle(given: () => unknown): void {
    const raw = this.#raw;
    const { endpoint, outlet } = this.#holding;
    const answer = this.#answerOf(given);
    if (raw.destroyed || raw.headersSent) return;
    const { status, body } = outlet.checked(endpoint, answer.status, answer.body, () => this.#describe());
    outlet.leaving(raw);
    const headers = this.#headers;
    headers['content-type'] = 'application/json';
    headers['content-length'] = Buffer.byteLength(body);
    if (outlet.isStopping) headers.connection = 'close';
    raw.writeHead(status, headers).end(body);
  }

  #answerOf(given: () => unknown): { readonly status: number; readonly body: string | Buffer } {
    try {
      const body = successBody(given(), this.#ignored);
      return { status: 200, body: typeof body === 'string' || Buffer.isBuffer(body) ? body : Buffer.concat(body) };
    } catch (error) {
      const { outlet, bodyLimit } = this.#holding;
      const told = outlet.faultOf(error, bodyLimit, () => this.#describe());
      Object.assign(this.#headers, errorHeaders(this.#raw.req, told));
      return { status: told.status, body: errorBody(told) };
    }
  }

  #describe(): object {
    return {
      reqId: this.#headers['x-request-id'],
      method: this.#raw.req.method,
      path: fullPathOf(this.#holding.endpoint),
      address: this.#address,
    };
  }
}
