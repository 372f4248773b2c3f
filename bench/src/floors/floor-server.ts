import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// A floor is a plain `node:http` program. Its first argument is JSON with its settings. It prints its address.

/** The settings from the harness. */
export function floorSettings<Settings>(): Settings {
  return JSON.parse(process.argv[2] ?? '{}') as Settings;
}

/** Listens on a free port, prints the line for the harness, and calls `stop` and exits at SIGTERM. */
export function serveFloor(listener: RequestListener, stop: () => Promise<void> = async () => {}): void {
  const server = createServer({ keepAlive: true, noDelay: true }, listener);
  // No timeouts for waiting requests and idle connections.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', 4096, () => {
    process.stdout.write(`Floor is listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  process.once('SIGTERM', () => stop().then(() => process.exit(0)));
}

/** The whole body of a request, as text. */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('latin1');
    request.on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}

export function answer(response: ServerResponse, body: string | Buffer): void {
  const length = Buffer.byteLength(body);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length }).end(body);
}
