/** The response to a held request: everything that is kept of the request meanwhile. */
import type { ServerResponse } from 'node:http';
import { type Endpoint, fullPathOf } from '@heddle/api/contract.ts';
import type { FastifyReply } from 'fastify';
import { errorBody, successBody } from '../answers/envelope.ts';
import type { SerializedJson } from '../answers/raw-json.ts';
import type { HeldAnswer, HeldRequest } from '../requests/route.ts';
import { countAnswer } from './measuring.ts';
import {
  errorHeaders,
  lengthOf,
  MIN_COMPRESSED_POLL_BYTES,
  type ResponseHeaders,
  type ResponsePipeline,
} from './response-pipeline.ts';

/** What all held requests of a route share. */
export interface Holding {
  readonly endpoint: Endpoint;
  readonly responsePipeline: ResponsePipeline;
  /** Bytes. */
  readonly bodyLimit: number;
  mayCompress(given: unknown): boolean;
  /** Names whose memory the response uses, see `SlowReaders.add`. */
  ownerOf(caller: unknown, address: string): string;
}

interface Answer {
  readonly status: number;
  readonly body: SerializedJson;
  mayCompress(): boolean;
}

/**
 * Holds the request until its response is there. Thousands are held, so this releases the framework's objects and writes the response
 * without it.
 */
export function hold(
  reply: FastifyReply,
  answer: HeldAnswer<unknown>,
  holding: Holding,
  caller: unknown,
  ignored: readonly string[] | undefined,
): void {
  const { raw } = reply;
  answer.begin(new HeldResponse(reply, holding, caller, ignored));
  reply.hijack();
  if (raw.destroyed) answer.hungUp();
  // The response closes with its connection, and also after it was sent.
  else if (!raw.writableEnded) raw.on('close', () => answer.hungUp());
}

class HeldResponse implements HeldRequest<unknown> {
  readonly #raw: ServerResponse;
  readonly #headers: ResponseHeaders;
  readonly #address: string;
  readonly #holding: Holding;
  readonly #caller: unknown;
  readonly #ignored: readonly string[] | undefined;

  constructor(reply: FastifyReply, holding: Holding, caller: unknown, ignored: readonly string[] | undefined) {
    this.#raw = reply.raw;
    this.#headers = reply.getHeaders();
    this.#address = reply.request.ip;
    this.#holding = holding;
    this.#caller = caller;
    this.#ignored = ignored;
  }

  settle(given: () => unknown): void {
    const raw = this.#raw;
    const { endpoint, responsePipeline, ownerOf } = this.#holding;
    const answer = this.#answerOf(given);
    if (raw.destroyed || raw.headersSent) return;
    const { status, body } = responsePipeline.checked(endpoint, answer.status, answer.body, () => this.#describe());
    countAnswer(endpoint, status);
    const owner = () => ownerOf(this.#caller, this.#address);
    const direct = { response: raw, status, headers: this.#headers, body, owner };
    const bytes = lengthOf(body);
    const codings = responsePipeline.codingsFor(raw.req, bytes, MIN_COMPRESSED_POLL_BYTES);
    if (codings === undefined || !answer.mayCompress()) responsePipeline.write(direct);
    else void responsePipeline.writeCompressed(direct, bytes, codings);
  }

  #answerOf(given: () => unknown): Answer {
    try {
      const value = given();
      const mayCompress = () => this.#holding.mayCompress(value);
      return { status: 200, body: successBody(value, this.#ignored), mayCompress };
    } catch (error) {
      const { responsePipeline, bodyLimit } = this.#holding;
      const refusal = responsePipeline.faultOf(error, bodyLimit, () => this.#describe());
      Object.assign(this.#headers, errorHeaders(this.#raw.req, refusal));
      return { status: refusal.status, body: errorBody(refusal), mayCompress: () => false };
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
