import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@heddle/embedded-postgres';
import pg from 'pg';
import { pino } from 'pino';
import { heapOf } from '../harness/memory.ts';
import { personEmail } from '../harness/population.ts';
import { processorTimes } from '../harness/processor-time.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, type Site, subdomainOf, upTo } from '../harness/site.ts';
import { alternate, median } from '../harness/statistics.ts';
import { type Call, callAll, type Login, textField } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

const JUDGED = 9900;
const PEOPLE = 10;
const CHANNELS = 4;
const MESSAGES = 20;
/** Messages that each active organization sends in a run. */
const SENT = 5;
const AT_ONCE = 8;

interface OrganizationsRun extends Run {
  /** Without requests, per second. */
  readonly serverMilliseconds: number;
  readonly databaseMilliseconds: number;
  readonly transactions: number;
}

/**
 * Measures a process that serves some organizations of a database, beside one whose database has only these. Without requests, it measures the
 * processor time and counts the transactions of the background work.
 */
export const organizations: Benchmark = {
  name: 'organizations',
  about: 'live memory of a process with 100 active organizations, and its work without requests; size: idle ones',
  run(settings) {
    const active = settings.quick ? 5 : 100;
    return inTurn(sizesOf(settings, [JUDGED], [20]), async (idle) => {
      settings.progress(`organizations: ${active} active, ${idle} idle`);
      const beside = await siteWith(active + idle);
      const alone = await siteWith(active);
      try {
        const runs = await alternate(
          settings.repeats,
          () => measure(beside, active, settings),
          () => measure(alone, active, settings),
        );
        return row(active, idle, runs.left, runs.right);
      } finally {
        await beside.close();
        await alone.close();
      }
    });
  },
};

function siteWith(count: number): Promise<Site> {
  const channels = upTo(CHANNELS).map(() => ({ first: 0, count: PEOPLE }));
  const messages = { count: MESSAGES, unread: [MESSAGES] };
  return openSite({ people: PEOPLE, channels, messages, organizations: count }, { inspected: true });
}

async function measure(site: Site, active: number, settings: Settings): Promise<OrganizationsRun> {
  // The one run of a quick side has a new server.
  if (!settings.quick) await site.restart();
  await useAll(site, active);
  const { liveBytes } = await heapOf(site.server.program);
  const seconds = settings.quick ? 1 : 30;
  const before = await workOf(site);
  await delay(seconds * 1000);
  const after = await workOf(site);
  const perSecond = (pick: (work: Work) => number) => (pick(after) - pick(before)) / seconds;
  return {
    rate: liveBytes / 1024 / 1024,
    p50: null,
    p99: null,
    serverMilliseconds: perSecond(({ server }) => server) / 1000,
    databaseMilliseconds: perSecond(({ database }) => database) / 1000,
    transactions: perSecond(({ transactions }) => transactions),
  };
}

/** In each active organization, a user registers, sends messages and reads history. The queues stay. */
async function useAll(site: Site, active: number): Promise<void> {
  const { address } = site.server;
  const email = personEmail(0);
  const subdomains = upTo(active).map(subdomainOf);
  const keys = await callAll(
    address,
    subdomains.map((subdomain) => {
      return { method: 'POST', path: '/dev_fetch_api_key', subdomain, parameters: { username: email } };
    }),
    AT_ONCE,
  );
  const calls = keys.flatMap((answer, index): readonly Call[] => {
    const login: Login = { email, apiKey: textField(answer, 'api_key') };
    const subdomain = subdomains[index] ?? '';
    const message = { type: 'channel', to: 'bench 0', topic: 'bench', content: 'hello' };
    const range = { anchor: 'newest', num_before: '100', num_after: '0' };
    return [
      { method: 'POST', path: '/register', login, subdomain },
      ...upTo(SENT).map(() => ({ method: 'POST' as const, path: '/messages', login, subdomain, parameters: message })),
      { method: 'GET', path: '/messages', login, subdomain, parameters: range },
    ];
  });
  await callAll(address, calls, AT_ONCE);
}

interface Work {
  /** Microseconds. */
  readonly server: number;
  readonly database: number;
  readonly transactions: number;
}

async function workOf(site: Site): Promise<Work> {
  const { dataDirectory, server } = site;
  const cluster = await startEmbeddedPostgres({ dataDirectory, log: pino({ level: 'silent' }), purpose: 'command' });
  const client = new pg.Client(cluster.connection);
  try {
    await client.connect();
    const { rows } = await client.query<{ transactions: string }>(
      'SELECT xact_commit + xact_rollback AS transactions FROM pg_stat_database WHERE datname = current_database()',
    );
    return { ...(await processorTimes(server.program.pid)), transactions: Number(rows[0]?.transactions) };
  } finally {
    await client.end();
    await cluster.stop();
  }
}

function row(
  active: number,
  idle: number,
  besideRuns: readonly OrganizationsRun[],
  aloneRuns: readonly OrganizationsRun[],
): Row {
  const [beside, alone] = [besideRuns, aloneRuns].map((runs) =>
    summarize(runs.map(({ rate, p50, p99 }) => ({ rate, p50, p99 }))),
  );
  if (beside === undefined || alone === undefined) throw new Error('there are two sides');
  const ratio = quotient(beside.rate, alone.rate);
  const pair = (pick: (run: OrganizationsRun) => number) =>
    [besideRuns, aloneRuns].map((runs) => median(runs.map(pick)).toFixed(1)).join(', without idle ones ');
  return {
    name: 'organizations',
    size: `${active} + ${idle} idle`,
    unit: 'MB',
    heddle: beside,
    floor: alone,
    ratio,
    goal: idle === JUDGED ? '≤ 1.05' : '',
    met: idle === JUDGED && ratio !== null ? ratio <= 1.05 : null,
    notes: [
      'the other side has no idle organizations',
      `server without requests: ${pair((run) => run.serverMilliseconds)} ms/s`,
      `PostgreSQL without requests: ${pair((run) => run.databaseMilliseconds)} ms/s`,
      `transactions without requests: ${pair((run) => run.transactions)} per second`,
    ],
  };
}
