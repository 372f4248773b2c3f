/** Values that are read when Prometheus scrapes: from memory, and with some statements in the background pool. */
import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Aggregator, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { NEWEST_EVENTS } from '../db/newest-events.ts';
import type { Feature } from '../extension/feature.ts';
import type { OpenApp } from '../open-app.ts';
import { HEDDLE_VERSION } from '../version.ts';

/** Waiting rows are counted up to this number, so that a scrape stays cheap. */
const MAX_COUNTED_ROWS = 100_000;

/** Gauges of `prom-client`. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** How the values of several workers become one (`HEDDLE_WORKERS`). What each process has is summed. All processes read the same database. */
const OF_PROCESS: Aggregator = 'sum';
const OF_DATABASE: Aggregator = 'max';

/** Default metrics whose merged value says something else by `prom-client`'s own rule. The slowest worker counts, and the last start. */
const WORST = /^(nodejs_eventloop_lag_|process_start_time_seconds$)/;

type Backlogs = NonNullable<Feature['backlogs']>;

/** Registers the gauges of an app. The process's memory, CPU and event loop are those of `prom-client`. */
export function gaugesOf(app: OpenApp, features: readonly Feature[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Their names end like those of counters, which Prometheus's checker refuses. The same values by type remain.
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  for (const metric of registry.getMetricsAsArray()) if (WORST.test(metric.name)) metric.aggregator = 'max';
  const gauge = (
    name: string,
    help: string,
    { labelNames = [], aggregator }: GaugeRules,
    collect: (to: Gauge) => Promise<void>,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames,
      aggregator,
      registers: [registry],
      async collect() {
        this.reset();
        // A database that is down must not hide the other values.
        await collect(this).catch((error: unknown) =>
          app.log.debug({ err: error, metric: name }, 'a metric is missing'),
        );
      },
    });
  };
  addMemory(app, gauge);
  addDatabase(app, gauge, Object.assign({}, ...features.map(({ backlogs = {} }) => backlogs)));
  return registry;
}

interface GaugeRules {
  readonly labelNames?: readonly string[];
  readonly aggregator: Aggregator;
}

type AddGauge = (name: string, help: string, rules: GaugeRules, collect: (to: Gauge) => Promise<void>) => void;

function addMemory(app: OpenApp, gauge: AddGauge): void {
  gauge(
    'heddle_build_info',
    'The version of Heddle; the value is 1.',
    { labelNames: ['version'], aggregator: 'max' },
    async (to) => {
      to.set({ version: HEDDLE_VERSION }, 1);
    },
  );
  gauge(
    'heddle_ready',
    'Whether a check of /health/ready succeeds.',
    { labelNames: ['check'], aggregator: 'min' },
    async (to) => {
      for (const [check, { status }] of Object.entries(await app.readiness.report()))
        to.set({ check }, status === 'ok' ? 1 : 0);
    },
  );
  gauge('heddle_event_queues', 'Event queues in memory.', { aggregator: OF_PROCESS }, async (to) =>
    to.set(app.queues.size),
  );
  gauge('heddle_polls_held', 'Polls for events that wait.', { aggregator: OF_PROCESS }, async (to) =>
    to.set(app.organizations.held.polls),
  );
  gauge('heddle_organizations_in_memory', 'Organizations in memory.', { aggregator: OF_PROCESS }, async (to) => {
    to.set(app.organizations.held.organizations);
  });
  gauge(
    'heddle_database_connections',
    'Open connections by pool and state.',
    { labelNames: ['pool', 'state'], aggregator: OF_PROCESS },
    async (to) => {
      for (const [name, poolOf] of Object.entries(app.pools)) {
        const pool = poolOf();
        to.set({ pool: name, state: 'idle' }, pool?.idleCount ?? 0);
        to.set({ pool: name, state: 'busy' }, (pool?.totalCount ?? 0) - (pool?.idleCount ?? 0));
      }
    },
  );
  gauge(
    'heddle_database_connection_waiting',
    'Requests that wait for a connection.',
    { labelNames: ['pool'], aggregator: OF_PROCESS },
    async (to) => {
      for (const [name, poolOf] of Object.entries(app.pools)) to.set({ pool: name }, poolOf()?.waitingCount ?? 0);
    },
  );
  gauge(
    'heddle_data_free_bytes',
    'Free space on the disk of the data directory.',
    { aggregator: OF_DATABASE },
    async (to) => {
      const { bavail, bsize } = await statfs(app.config.dataDirectory);
      to.set(bavail * bsize);
    },
  );
}

function addDatabase({ background, organizations, consumers }: OpenApp, gauge: AddGauge, backlogs: Backlogs): void {
  const help = 'Events that a reader of the logs has not read, of all organizations. "server": this process.';
  gauge('heddle_log_lag_events', help, { labelNames: ['reader'], aggregator: OF_DATABASE }, async (to) => {
    const { rows } = await sql<{ reader: string; behind: number }>`
      WITH RECURSIVE newest AS (${NEWEST_EVENTS})
      SELECT consumer AS reader, sum(greatest(newest.id - position, 0))::float8 AS behind
        FROM newest
             CROSS JOIN LATERAL (SELECT consumer, position FROM log_cursors
                                  WHERE organization_id = newest.organization_id OFFSET 0) AS cursor
       GROUP BY consumer`.execute(background);
    for (const reader of consumers.names) to.set({ reader }, 0);
    for (const { reader, behind } of rows) to.set({ reader }, behind);
    const positions = organizations.positions;
    const heads = await background
      .selectFrom('logs')
      .select(['organization_id', 'head'])
      .where('organization_id', '=', sql<number>`ANY (${[...positions.keys()]}::integer[])`)
      .execute();
    const behind = heads.map(({ organization_id: id, head }) => Math.max(0, head - (positions.get(id) ?? head)));
    to.set(
      { reader: 'server' },
      behind.reduce((sum, events) => sum + events, 0),
    );
  });
  gauge(
    'heddle_jobs',
    'Background jobs: due now, due later, failed permanently.',
    { labelNames: ['state'], aggregator: OF_DATABASE },
    async (to) => {
      const { rows } = await sql<{ due: number; later: number; failed: number }>`
      SELECT count(*) FILTER (WHERE failed_at IS NULL AND due_at <= now()) AS due,
             count(*) FILTER (WHERE failed_at IS NULL AND due_at > now()) AS later,
             count(*) FILTER (WHERE failed_at IS NOT NULL) AS failed
        FROM (SELECT failed_at, due_at FROM jobs LIMIT ${MAX_COUNTED_ROWS}) AS counted`.execute(background);
      for (const [state, count] of Object.entries(rows[0] ?? {})) to.set({ state }, count);
    },
  );
  gauge(
    'heddle_job_oldest_due_seconds',
    'How long the oldest due job has waited.',
    { aggregator: OF_DATABASE },
    async (to) => {
      const { rows } = await sql<{ seconds: number }>`
      SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS seconds
        FROM jobs WHERE failed_at IS NULL AND due_at <= now()`.execute(background);
      to.set(rows[0]?.seconds ?? 0);
    },
  );
  gauge(
    'heddle_deliveries_waiting',
    'Notifications and webhooks that wait for their service.',
    { labelNames: ['service'], aggregator: OF_DATABASE },
    async (to) => {
      for (const [service, table] of Object.entries(backlogs)) {
        const { rows } = await sql<{ count: number }>`
        SELECT count(*) FROM (SELECT FROM ${sql.table(table)} WHERE due_at IS NOT NULL LIMIT ${MAX_COUNTED_ROWS}) AS counted`.execute(
          background,
        );
        to.set({ service }, rows[0]?.count ?? 0);
      }
    },
  );
}
