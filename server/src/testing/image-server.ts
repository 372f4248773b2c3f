/** A web server of the tests' own, with images and with whatever else a hostile server could send. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Serving = (request: IncomingMessage, response: ServerResponse) => void;

export class TestImageServer {
  /** Paths that were asked for, in their order. */
  readonly asked: string[] = [];
  readonly #served = new Map<string, Serving>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => {
    const path = request.url ?? '';
    this.asked.push(path);
    const serving = this.#served.get(path);
    if (serving === undefined) response.writeHead(404).end();
    else serving(request, response);
  });

  private constructor() {
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<TestImageServer> {
    const server = new TestImageServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** What the path serves; returns its address. */
  serve(path: string, serving: Serving): string {
    this.#served.set(path, serving);
    return `http://127.0.0.1:${this.port}${path}`;
  }

  serveImage(path: string, bytes: Buffer, type: string): string {
    return this.serve(path, (_, response) => response.writeHead(200, { 'content-type': type }).end(bytes));
  }

  redirect(path: string, location: string, status = 302): string {
    return this.serve(path, (_, response) => response.writeHead(status, { location }).end());
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
