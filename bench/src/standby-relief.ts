/**
 * Measures how much standbys that serve reads relieve the primary: the processor time of PostgreSQL for each request, with
 * `HEDDLE_STANDBY_READS` off and on. Prints a line for each kind of request, with medians of three rounds.
 * `scripts/node bench/src/standby-relief.ts [messages] [requests of each kind]`. It needs Linux.
 */
import assert from 'node:assert/strict';
import type { Fields, TestClient } from '@heddle/server/testing/clients/client.ts';
import { servedBy } from '@heddle/server/testing/database/history-reads.ts';
import {
  type PostgresNode,
  type ReplicatedCluster,
  startReplicatedCluster,
} from '@heddle/server/testing/database/replicated-cluster.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { startTestServer } from '@heddle/server/testing/server/server.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { channelName } from './harness/population.ts';
import { processorTime } from './harness/processor-time.ts';
import { upTo } from './harness/site.ts';
import { fillWithWords, wordOf } from './harness/words.ts';

const [messages = 100_000, requests = 300] = process.argv.slice(2).map(Number);
const CHANNELS = 10;
const PEOPLE = 4;
const ROUNDS = 3;
/** The connections of a process to a standby, which are as many as the requests of two accounts. */
const AT_ONCE = 4;
const PAGE = { num_before: 100, num_after: 0 };

interface Kind {
  readonly name: string;
  readonly fields: (number: number) => Fields;
}

const KINDS: readonly Kind[] = [
  { name: 'a search for a common word', fields: (number) => search(wordOf(10 + (number % 50))) },
  { name: 'a search for a rare word', fields: (number) => search(wordOf(10_000 + (number % 1000))) },
  { name: 'a page of old history', fields: (number) => ({ ...PAGE, anchor: 500 + number * 50 }) },
];

function search(word: string): Fields {
  return { ...PAGE, anchor: 'newest', narrow: [{ operator: 'search', operand: word }] };
}

/** Milliseconds for each request. */
interface Measured {
  readonly primary: number;
  readonly standby: number;
  readonly response: number;
  /** The part of the requests that the standby served. */
  readonly part: number;
}

const [cluster, data] = await Promise.all([startReplicatedCluster(), temporaryDataDirectory()]);
const shared = { url: cluster.url, dataDirectory: data.path };
try {
  const people = await fill(cluster);
  const found = new Map<string, Measured[]>();
  for (const setting of upTo(ROUNDS).flatMap(() => ['off', 'on']))
    for (const [name, measured] of await measureAll(people, setting))
      found.set(`${name} ${setting}`, [...(found.get(`${name} ${setting}`) ?? []), measured]);
  for (const { name } of KINDS) {
    const [off, on] = ['off', 'on'].map((setting) => medianOf(found.get(`${name} ${setting}`) ?? []));
    assert(off !== undefined && on !== undefined);
    const compare = (key: keyof Measured) => `${off[key].toFixed(2)} → ${on[key].toFixed(2)} ms`;
    process.stdout.write(
      `${name}: primary ${compare('primary')}, standby ${compare('standby')}, response ${compare('response')}, ` +
        `the standby served ${Math.round(100 * on.part)} %\n`,
    );
  }
} finally {
  await cluster.remove();
  await data.remove();
}

/** Creates people and channels with a server, and writes the messages without one. */
async function fill({ primary, caughtUp }: ReplicatedCluster): Promise<readonly TestClient[]> {
  const server = await startTestServer({ shared, isNew: true });
  const people: TestClient[] = [];
  for (const person of upTo(PEOPLE)) people.push(await server.user({ email: `person${person}@bench.invalid` }));
  const principals = people.map(({ userId }) => userId);
  for (const channel of upTo(CHANNELS)) await server.emptyChannel(server.owner, channelName(channel), { principals });
  await server.stop();
  await fillWithWords({ connectionString: primary.url }, { messages, channels: CHANNELS, topics: 20, people: PEOPLE });
  await primary.query(`UPDATE logs SET message_head = message_head + ${messages}`);
  await primary.query('VACUUM ANALYZE');
  await caughtUp();
  return people;
}

async function measureAll(people: readonly TestClient[], setting: string): Promise<ReadonlyMap<string, Measured>> {
  const server = await startTestServer({ shared, environment: { HEDDLE_STANDBY_READS: setting } });
  try {
    const clients = await Promise.all(people.map((person) => server.sameUser(person)));
    const [first] = clients;
    assert(first !== undefined);
    const isServing = async () =>
      (await servedBy(() => first.ok('GET', '/messages', search('warp')))).includes('standby');
    if (setting === 'on') await until(isServing, 'the standby to serve');
    const found = new Map<string, Measured>();
    for (const kind of KINDS) {
      // Fills the caches of both hosts, and prepares the statements.
      await callAll(clients, kind, requests);
      found.set(kind.name, await measure(clients, kind));
    }
    return found;
  } finally {
    await server.stop();
  }
}

async function measure(clients: readonly TestClient[], kind: Kind): Promise<Measured> {
  const nodes = [cluster.primary, cluster.standby];
  const before = await Promise.all(nodes.map(processorTimeOf));
  const begunAt = performance.now();
  const served = await servedBy(() => callAll(clients, kind, requests));
  const milliseconds = performance.now() - begunAt;
  const after = await Promise.all(nodes.map(processorTimeOf));
  const [primary = 0, standby = 0] = after.map((time, index) => (time - (before[index] ?? 0)) / 1000 / requests);
  const part = served.filter((by) => by === 'standby').length / requests;
  return { primary, standby, response: (milliseconds * AT_ONCE) / requests, part };
}

async function callAll(clients: readonly TestClient[], { fields }: Kind, count: number): Promise<void> {
  const left = upTo(count).values();
  const callNext = async (one: number) => {
    for (const number of left) await clients[one % clients.length]?.ok('GET', '/messages', fields(number));
  };
  await Promise.all(upTo(AT_ONCE).map(callNext));
}

/** In microseconds, of all its processes that run. Connections that ended since took little. */
async function processorTimeOf(node: PostgresNode): Promise<number> {
  const rows = await node.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  const times = await Promise.all(rows.map(({ pid }) => processorTime(pid).catch(() => 0)));
  return times.reduce((sum, time) => sum + time, 0);
}

function medianOf(all: readonly Measured[]): Measured {
  const median = (key: keyof Measured) => all.map((each) => each[key]).toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
  return { primary: median('primary'), standby: median('standby'), response: median('response'), part: median('part') };
}
