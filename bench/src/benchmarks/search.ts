import { startEmbeddedPostgres } from '@heddle/embedded-postgres';
import { pino } from 'pino';
import type { SearchFloorSettings } from '../floors/search.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import { channelName } from '../harness/population.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, type Site, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, type Login, requestBytes, successful } from '../harness/wire.ts';
import { wordOf } from '../harness/words.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const JUDGED = 1_000_000;
const GOAL = 0.6;
const CHANNELS = 100;
/** Searching users are subscribed to the first channels, other users to the rest. */
const SUBSCRIBED = 50;
const PEOPLE_A_CHANNEL = 10;
const AT_ONCE = 4;
const PAGE = 100;

interface Kind {
  readonly name: string;
  /** The query of each concurrent user. All queries are different. */
  readonly sought: (searcher: number) => string;
  /** Searches one channel. The default is all subscribed channels. */
  readonly channel?: number;
  readonly by: SearchFloorSettings['by'];
}

const KINDS: readonly Kind[] = [
  // One of seven messages contains the first word, one of ten thousand the second.
  { name: 'a common word', sought: (searcher) => wordOf(10 + searcher), by: 'walk' },
  { name: 'a rare word', sought: (searcher) => wordOf(10_000 + searcher), by: 'index' },
  {
    name: 'a common word and a rarer one',
    sought: (searcher) => `${wordOf(10 + searcher)} ${wordOf(500)}`,
    by: 'index',
  },
  { name: 'a phrase', sought: (searcher) => `"${wordOf(1)} ${wordOf(2 + searcher)}"`, by: 'walk' },
  { name: 'a common word in a channel', sought: (searcher) => wordOf(10 + searcher), channel: 3, by: 'walk' },
];

/** Users search the newest messages with some words. */
export const search: Benchmark = {
  name: 'search',
  about: `GET /messages, the newest ${PAGE} with words; size: messages in ${CHANNELS} channels, half of which are accessible`,
  async run(settings) {
    const rows = await inTurn(sizesOf(settings, [10_000, 100_000, JUDGED], [400]), (size) =>
      measureSize(size, settings),
    );
    return rows.flat();
  },
};

async function measureSize(count: number, settings: Settings): Promise<Row[]> {
  settings.progress(`search: ${count} messages`);
  const channels = upTo(CHANNELS).map((channel) => ({
    first: channel < SUBSCRIBED ? 0 : PEOPLE_A_CHANNEL,
    count: PEOPLE_A_CHANNEL,
  }));
  const messages = { count, unread: [0], topics: 20, worded: true };
  const site = await openSite({ people: 2 * PEOPLE_A_CHANNEL, channels, messages });
  // The database of Heddle.
  const log = pino({ level: 'silent' });
  const database = await startEmbeddedPostgres({ dataDirectory: site.dataDirectory, log, purpose: 'command' });
  try {
    const logins = await site.logins(upTo(AT_ONCE));
    return await inTurn(KINDS, (kind) =>
      measureKind(kind, count, { site, logins, database: database.connection }, settings),
    );
  } finally {
    await database.stop();
    await site.close();
  }
}

interface Filled {
  readonly site: Site;
  readonly logins: readonly Login[];
  readonly database: SearchFloorSettings['database'];
}

async function measureKind(kind: Kind, count: number, filled: Filled, settings: Settings): Promise<Row> {
  const { site, logins, database } = filled;
  settings.progress(`search: ${kind.name}`);
  const calls = logins.map((login, searcher) => searchFor(kind, login, searcher));
  const channels = upTo(kind.channel === undefined ? SUBSCRIBED : 1).map((number) =>
    channelName((kind.channel ?? 0) + number),
  );
  const floorSettings: SearchFloorSettings = { database, channels, by: kind.by };
  const floor = await startFloor('search', floorSettings);
  try {
    const found = await inTurn(calls, (call) => idsFound(site.server, call));
    const expected = await inTurn(calls, (call) => idsFound(floor, call));
    if (JSON.stringify(found) !== JSON.stringify(expected))
      throw new Error(`${kind.name}: other messages than the floor`);
    const runs = await alternate(
      settings.repeats,
      () => measure(site.server, calls, settings),
      () => measure(floor, calls, settings),
    );
    return row(kind, count, runs.left, runs.right, found[0]?.length ?? 0);
  } finally {
    await floor.program.stop();
  }
}

function searchFor({ sought, channel }: Kind, login: Login, searcher: number): Call {
  const narrow = [
    ...(channel === undefined ? [] : [{ operator: 'channel', operand: channelName(channel) }]),
    { operator: 'search', operand: sought(searcher) },
  ];
  const parameters = { anchor: 'newest', num_before: `${PAGE}`, num_after: '0', narrow: JSON.stringify(narrow) };
  return { method: 'GET', path: '/messages', login, parameters };
}

async function idsFound(server: Server, call: Call): Promise<readonly number[]> {
  const connection = new HttpConnection(server.address);
  try {
    const { status, body } = await connection.request(requestBytes(server.address, call));
    successful('GET /messages', status, body);
    return JSON.parse(body.toString()).messages.map(({ id }: { id: number }) => id);
  } finally {
    connection.close();
  }
}

async function measure(server: Server, calls: readonly Call[], settings: Settings): Promise<Run> {
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address: server.address,
    requests: calls.map((call) => [requestBytes(server.address, call)]),
    ...spanOf(settings, { warmUp: 2, seconds: 3 }),
    countBodies: true,
  });
  return { rate, p50, p99 };
}

function row({ name }: Kind, count: number, heddleRuns: readonly Run[], floorRuns: readonly Run[], found: number): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  const judged = count === JUDGED;
  return {
    name: 'search',
    size: `${count} messages: ${name}`,
    unit: 'searches/s',
    heddle,
    floor,
    ratio,
    goal: judged ? `≥ ${GOAL}` : '',
    met: judged && ratio !== null ? ratio >= GOAL : null,
    notes: [`a page has ${found} messages, ${AT_ONCE} at once`],
  };
}
