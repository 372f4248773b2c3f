/** A service for tests, which outgoing webhook bots call. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Json } from '../clients/json.ts';

/** A received request. */
export interface Call {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The parsed JSON or the fields of a form. */
  readonly body: Json;
}

/** Returns the JSON response of the service, or responds itself. */
export type Answering = (call: Call, response: ServerResponse) => Json;

export class TestBotService {
  readonly calls: Call[] = [];
  /** By default the service requires no reply. */
  answering: Answering = () => ({ response_not_required: true });
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #sockets = new Set<Socket>();
  #waiting: { readonly wants: (call: Call) => boolean; readonly take: (call: Call) => void }[] = [];

  private constructor() {
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<TestBotService> {
    const service = new TestBotService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Resolves with the first matching request, already received or not. */
  async call(wants: (call: Call) => boolean = () => true): Promise<Call> {
    const there = this.calls.find(wants);
    if (there !== undefined) return there;
    return new Promise((take) => this.#waiting.push({ wants, take }));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { headers, url = '' } = request;
    const isJson = headers['content-type'] === 'application/json';
    const body = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
    const call = { path: url, headers, body };
    this.calls.push(call);
    const taking = this.#waiting.filter(({ wants }) => wants(call));
    this.#waiting = this.#waiting.filter((one) => !taking.includes(one));
    for (const { take } of taking) take(call);
    const answer = this.answering(call, response);
    if (!response.writableEnded && answer !== undefined) response.end(JSON.stringify(answer));
  }
}

/** The environment of a server that may call services on this machine. */
export const LOCAL_SERVICES = { HEDDLE_OUTGOING_PRIVATE_NETWORKS: '127.0.0.0/8,::1' };
