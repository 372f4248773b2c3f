/** The request that handlers see, over Fastify's. What few handlers need is made only when it is read. */
import type { Endpoint, Parameters } from '@heddle/api/contract.ts';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from './admission.ts';

export class AdmittedRequest<Organization, Caller> {
  readonly parameters: Parameters<Endpoint>;
  readonly body: unknown;
  readonly organization: Organization;
  readonly caller: Caller | undefined;
  readonly client: string;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | undefined;
  #log: FastifyBaseLogger | undefined;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission<Organization, Caller>,
    parameters: Parameters<Endpoint>,
    client: string,
    body: unknown,
  ) {
    this.#request = request;
    this.#reply = reply;
    this.parameters = parameters;
    this.body = body;
    this.organization = admission.organization;
    this.caller = admission.caller;
    this.client = client;
  }

  get id(): string {
    return this.#request.id;
  }

  get log(): FastifyBaseLogger {
    this.#log ??= this.#request.log.child({ reqId: this.#request.id });
    return this.#log;
  }

  get remoteAddress(): string {
    return this.#request.ip;
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#reply);
    return this.#signal;
  }
}

/** A response closes when it was sent, or with its connection. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
