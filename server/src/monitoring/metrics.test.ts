import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '../testing/server/server.ts';
import { until } from '../testing/server/until.ts';
import type { MetricsServer } from './metrics-port.ts';
import { serveMetrics } from './metrics-server.ts';

const deploy = join(import.meta.dirname, '..', '..', '..', 'deploy');
const rules = join(deploy, 'prometheus', 'heddle.rules.yaml');
const dashboard = join(deploy, 'grafana', 'heddle.json');

let server: TestServer;
let metrics: MetricsServer;

before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_METRICS_PORT: '0' } });
  const serving = await serveMetrics(server.app);
  assert(serving !== undefined);
  metrics = serving;
});
after(async () => {
  await metrics.stop();
  await server.stop();
});

async function scrape(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${metrics.port}/metrics`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
  return response.text();
}

/** The value of a sample, by its beginning such as `heddle_jobs{state="due"}`. */
function valueIn(text: string, sample: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  assert(line !== undefined, `there is no ${sample}`);
  return Number(line.slice(sample.length + 1));
}

test('a request is counted by its operation and status, and timed', async () => {
  const { owner } = server;
  const operation = 'operation="POST /api/v1/messages"';
  await owner.send('general', 'warp', 'hello');
  const before = await scrape();
  await owner.send('general', 'warp', 'hello again');
  assert.equal((await owner.call('POST', '/messages', { type: 'channel' })).status, 400);
  const text = await scrape();
  // Other tests of the process may have been refused before, or not.
  const grown = (sample: string) =>
    valueIn(text, sample) - (before.includes(`${sample} `) ? valueIn(before, sample) : 0);
  assert.equal(grown(`heddle_http_requests_total{${operation},status="200"}`), 1);
  assert.equal(grown(`heddle_http_requests_total{${operation},status="400"}`), 1);
  assert.equal(grown(`heddle_http_request_duration_seconds_count{${operation}}`), 2);
  assert.equal(grown('heddle_batch_items_count'), 1);
  assert.ok(grown('heddle_events_published_total') >= 1);
});

test('queues, held polls, connections, jobs and readers have gauges', async () => {
  const { owner } = server;
  const queue = await owner.register();
  const poll = owner.call('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  const text = await until(async () => {
    const scraped = await scrape();
    return valueIn(scraped, 'heddle_polls_held') > 0 ? scraped : undefined;
  }, 'a held poll in the metrics');
  assert.ok(valueIn(text, 'heddle_event_queues') >= 1);
  assert.equal(valueIn(text, 'heddle_organizations_in_memory'), 1);
  assert.equal(valueIn(text, 'heddle_log_lag_events{reader="server"}'), 0);
  assert.equal(valueIn(text, 'heddle_jobs{state="failed"}'), 0);
  assert.equal(valueIn(text, 'heddle_deliveries_waiting{service="push"}'), 0);
  assert.equal(valueIn(text, 'heddle_ready{check="schema"}'), 1);
  const connections = (state: string) => valueIn(text, `heddle_database_connections{pool="requests",state="${state}"}`);
  assert.ok(connections('idle') + connections('busy') >= 1);
  await owner.ok('DELETE', '/events', { queue_id: queue.id });
  await poll;
});

test('notifications that devices show are not waiting for their service', async () => {
  const { db } = server.app;
  await sql`
    INSERT INTO push_notifications (organization_id, user_id, message_id, cause, state, due_at)
    SELECT organization_id, id, -number, 'direct', CASE WHEN number > 2 THEN 'shown' ELSE 'leaving' END,
           CASE WHEN number <= 2 THEN now() + interval '1 hour' END
      FROM users, generate_series(1, 7) AS number WHERE id = ${server.owner.userId}`.execute(db);
  const waiting = valueIn(await scrape(), 'heddle_deliveries_waiting{service="push"}');
  await sql`DELETE FROM push_notifications`.execute(db);
  assert.equal(waiting, 2);
});

test('the metrics name no organization, user, address or message, and clients of the API cannot reach them', async () => {
  const { owner } = server;
  await owner.send('general', 'a secret topic', 'a secret text');
  await owner.call('GET', '/a-secret-path');
  const text = await scrape();
  for (const word of [owner.email, 'secret', 'Olive', '127.0.0.1']) assert.ok(!text.includes(word), word);
  const response = await fetch(`${server.url}/metrics`);
  assert.equal(response.status, 404);
});

test('without a port there are no metrics', async () => {
  const config = { ...server.app.config, metricsPort: null };
  assert.equal(await serveMetrics({ ...server.app, config }), undefined);
});

/** The names of metrics in PromQL. Other words there are functions, labels and the like. */
function metricsIn(expression: string): readonly string[] {
  return expression.match(/\b(?:heddle|nodejs|process)_\w+/g) ?? [];
}

test('every metric of the dashboard and of the alert rules exists, and every metric of ours is on the dashboard', async () => {
  const known = new Set(
    [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, type]) => `${name} ${type}`),
  );
  const exists = (name: string): boolean =>
    ['counter', 'gauge'].some((type) => known.has(`${name} ${type}`)) ||
    known.has(`${name.replace(/_(bucket|count|sum)$/, '')} histogram`);
  const shown = await readFile(dashboard, 'utf8');
  JSON.parse(shown);
  const named = { [dashboard]: metricsIn(shown), [rules]: metricsIn(await readFile(rules, 'utf8')) };
  for (const [file, names] of Object.entries(named)) {
    assert.ok(names.length > 10);
    for (const name of names) assert.ok(exists(name), `${file} names ${name}, which does not exist`);
  }
  for (const metric of known) {
    const [name = ''] = metric.split(' ');
    if (name.startsWith('heddle_')) assert.ok(shown.includes(name), `the dashboard does not show ${name}`);
  }
});

const promtool = '/usr/bin/promtool';
test('Prometheus accepts the metrics and the alert rules', {
  skip: !existsSync(promtool) && 'promtool is not installed',
}, async () => {
  execFileSync(promtool, ['check', 'metrics'], { input: await scrape(), stdio: 'pipe' });
  execFileSync(promtool, ['check', 'rules', rules], { stdio: 'pipe' });
});
