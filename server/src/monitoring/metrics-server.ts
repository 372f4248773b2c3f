/** All metrics of an app, and the port on which a single process serves them. */
import { Registry } from 'prom-client';
import { features } from '../all-features.ts';
import { measures } from '../measures.ts';
import type { OpenApp } from '../open-app.ts';
import { gaugesOf } from './gauges.ts';
import { listenForScrapes, type MetricsServer } from './metrics-port.ts';

/** The registry of all metrics of an app: what was counted, and the gauges. */
export function metricsOf(app: OpenApp): Registry {
  return Registry.merge([measures, gaugesOf(app, features)]);
}

/** Undefined: no port is set. @throws Error if the port is in use */
export async function serveMetrics(app: OpenApp): Promise<MetricsServer | undefined> {
  if (app.config.metricsPort === null) return undefined;
  const metrics = metricsOf(app);
  return listenForScrapes({ ...app, read: () => metrics.metrics() });
}
