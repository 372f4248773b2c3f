/** A web server for tests, with images and with responses of hostile servers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Serving = (request: IncomingMessage, response: ServerResponse) => void;

export class TestImageServer {
  /** The requested paths, in order. */
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

  /** The number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Serves the path with this handler. Returns its URL. */
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
