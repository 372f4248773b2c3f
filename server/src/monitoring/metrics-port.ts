/** Serves `GET /metrics` for Prometheus, on a port of its own: what clients can reach never shows it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { timeoutOf } from '../config/timeout-factor.ts';
import type { Config } from '../config.ts';
import { backgroundLevel } from '../db/failures.ts';

/** Prometheus needs one. Two servers and an operator fit, and a flood does not. */
const MAX_CONNECTIONS = 16;
const REQUEST_TIMEOUT_MS = timeoutOf(10_000);

/** The values of metrics, as processes pass them to each other. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

export interface MetricsSource {
  readonly config: Pick<Config, 'metricsHost' | 'metricsPort'>;
  readonly log: Logger;
  /** All metrics in the format of Prometheus. Concurrent scrapes share one reading. */
  readonly read: () => Promise<string>;
}

/** Undefined: no port is set. @throws Error if the port is in use */
export async function listenForScrapes({ config, log, read }: MetricsSource): Promise<MetricsServer | undefined> {
  const { metricsHost, metricsPort } = config;
  if (metricsPort === null) return undefined;
  let reading: Promise<string> | undefined;
  const readOnce = (): Promise<string> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isKnown = request.method === 'GET' && request.url?.replace(/\?.*$/s, '') === '/metrics';
    if (!isKnown) response.writeHead(404).end();
    else response.setHeader('content-type', Registry.PROMETHEUS_CONTENT_TYPE).end(await readOnce());
  };
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      log[backgroundLevel(error)]({ err: error }, 'the metrics could not be read');
      response.writeHead(500).end();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(metricsPort, metricsHost);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
