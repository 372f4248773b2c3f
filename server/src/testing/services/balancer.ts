/** A load balancer as operators run one: it asks each server for its readiness, and sends new requests only to ready ones. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../server/until.ts';

/** How often it asks, in milliseconds. */
const PROBE_EVERY_MS = 50;

export interface Balancer {
  readonly url: string;
  /** The servers that got a request, in order, without repetitions. */
  readonly served: readonly string[];
  /** Changes the servers behind it. */
  use(servers: readonly string[]): void;
  /** Resolves when exactly these servers are ready. */
  ready(servers: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  let servers: readonly string[] = [];
  let readyOnes: readonly string[] = [];
  let next = 0;
  const served: string[] = [];

  async function probe(): Promise<void> {
    const asked = servers;
    const found: string[] = [];
    for (const url of asked) {
      const isReady = await fetch(`${url}/health/ready`).then(
        async (response) => (await response.arrayBuffer()) && response.ok,
        () => false,
      );
      if (isReady) found.push(url);
    }
    readyOnes = found.filter((url) => servers.includes(url));
  }

  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const target = readyOnes[next++ % readyOnes.length];
    if (target === undefined) return response.writeHead(502).end();
    if (served.at(-1) !== target) served.push(target);
    const { hostname, port } = new URL(target);
    const { method, url: path, headers } = incoming;
    const outgoing = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      const { connection: _, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
    });
    outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => outgoing.destroy());
    return incoming.pipe(outgoing);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  let probing: Promise<void> | undefined;
  const timer = setInterval(() => {
    probing ??= probe().finally(() => {
      probing = undefined;
    });
  }, PROBE_EVERY_MS);
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    served,
    use(given) {
      servers = given;
    },
    async ready(wanted) {
      const isReady = () => readyOnes.length === wanted.length && wanted.every((url) => readyOnes.includes(url));
      await until(isReady, `${wanted.join(' and ')} to be ready`);
    },
    async close() {
      clearInterval(timer);
      await probing;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
