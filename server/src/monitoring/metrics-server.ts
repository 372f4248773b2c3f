/** Serves `GET /metrics` for Prometheus, on a port of its own: what clients can reach never shows it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { features } from '../all-features.ts';
import { timeoutOf } from '../config/timeout-factor.ts';
import { backgroundLevel } from '../db/failures.ts';
import { measures } from '../measures.ts';
import type { OpenApp } from '../open-app.ts';
import { gaugesOf } from './gauges.ts';

/** Prometheus needs one. Two servers and an operator fit, and a flood does not. */
const MAX_CONNECTIONS = 16;
const REQUEST_TIMEOUT_MS = timeoutOf(10_000);

export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** All metrics of an app as text. Concurrent scrapes share one reading. */
export function metricsOf(app: OpenApp): { readonly contentType: string; text(): Promise<string> } {
  const all = Registry.merge([measures, gaugesOf(app, features)]);
  let reading: Promise<string> | undefined;
  return {
    contentType: all.contentType,
    text() {
      reading ??= all.metrics().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}

/** Undefined: no port is set. @throws Error if the port is in use */
export async function serveMetrics(app: OpenApp): Promise<MetricsServer | undefined> {
  const { metricsHost, metricsPort } = app.config;
  if (metricsPort === null) return undefined;
  const metrics = metricsOf(app);
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isKnown = request.method === 'GET' && request.url?.replace(/\?.*$/s, '') === '/metrics';
    if (!isKnown) response.writeHead(404).end();
    else response.setHeader('content-type', metrics.contentType).end(await metrics.text());
  };
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      app.log[backgroundLevel(error)]({ err: error }, 'the metrics could not be read');
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
