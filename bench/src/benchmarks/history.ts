import type { HistoryFloorSettings } from '../floors/history.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { startFloorDatabase } from '../harness/floor-database.ts';
import { runLoad } from '../harness/generator.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import { channelName } from '../harness/population.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, type Login, requestBytes, successful } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const JUDGED = 200_000;
const TOPICS = 20;
const MARKED_EVERY = 10;
/** The number of messages before the anchor, and after it. */
const EACH = 50;
const AT_ONCE = 4;

/** Clients scroll back and forth in a topic. */
export const history: Benchmark = {
  name: 'history',
  about: `GET /messages, ${2 * EACH} messages around an anchor in a topic with flags; size: messages in the channel, a twentieth in the topic`,
  run: (settings) => inTurn(sizesOf(settings, [2000, 20_000, JUDGED], [400]), (size) => measureSize(size, settings)),
};

async function measureSize(count: number, settings: Settings): Promise<Row> {
  settings.progress(`history: ${count} messages`);
  const messages = { count, unread: [count, 0], topics: TOPICS, markedEvery: MARKED_EVERY };
  const site = await openSite({ people: 10, channels: [{ first: 0, count: 10 }], messages });
  const database = await startFloorDatabase();
  try {
    const logins = await site.logins(upTo(AT_ONCE));
    const [login] = logins;
    if (login === undefined) throw new Error('there is no user to read');
    const first = (await newestId(site.server, login)) - count;
    const bytes = (await ask(site.server, around(login, first + count / 2))).length;
    const floorSettings: HistoryFloorSettings = {
      database: database.connection,
      messages: count,
      topics: TOPICS,
      markedEvery: MARKED_EVERY,
      each: EACH,
    };
    const floor = await startFloor('history', floorSettings);
    try {
      const runs = await alternate(
        settings.repeats,
        () => measure(site.server, logins, first, count, settings),
        () => measure(floor, logins, 0, count, settings),
      );
      return row(count, runs.left, runs.right, bytes);
    } finally {
      await floor.program.stop();
    }
  } finally {
    await database.stop();
    await site.close();
  }
}

/** A page in the middle of the topic. */
function around(login: Login, anchor: number): Call {
  const narrow = [
    { operator: 'channel', operand: channelName(0) },
    { operator: 'topic', operand: 'topic 1' },
  ];
  const parameters = {
    anchor: String(anchor),
    num_before: `${EACH}`,
    num_after: `${EACH}`,
    narrow: JSON.stringify(narrow),
  };
  return { method: 'GET', path: '/messages', login, parameters };
}

async function newestId(server: Server, login: Login): Promise<number> {
  const parameters = { anchor: 'newest', num_before: '1', num_after: '0' };
  const body = await ask(server, { method: 'GET', path: '/messages', login, parameters });
  return JSON.parse(body.toString()).messages.at(-1).id;
}

async function ask(server: Server, call: Call): Promise<Buffer> {
  const connection = new HttpConnection(server.address);
  try {
    const { status, body } = await connection.request(requestBytes(server.address, call));
    successful('GET /messages', status, body);
    return body;
  } finally {
    connection.close();
  }
}

async function measure(
  server: Server,
  logins: readonly Login[],
  first: number,
  count: number,
  settings: Settings,
): Promise<Run> {
  // Readers move from the first to the third quarter of the topic, half a page per step, from different positions.
  const anchors = Array.from({ length: 100 }, (_, page) => first + Math.floor(count / 4 + (page * count) / 200));
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address: server.address,
    requests: logins.map((login, number) =>
      [...anchors.slice(number * 25), ...anchors.slice(0, number * 25)].map((anchor) =>
        requestBytes(server.address, around(login, anchor)),
      ),
    ),
    ...spanOf(settings, { warmUp: 1.5, seconds: 4 }),
    countBodies: true,
  });
  return { rate, p50, p99 };
}

function row(size: number, heddleRuns: readonly Run[], floorRuns: readonly Run[], bytes: number): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  return {
    name: 'history',
    size: `${size} messages`,
    unit: 'pages/s',
    heddle,
    floor,
    ratio,
    goal: size === JUDGED ? '≥ 0.5' : '',
    met: size === JUDGED && ratio !== null ? ratio >= 0.5 : null,
    notes: [`a response has ${Math.round(bytes / 1024)} KB, ${AT_ONCE} at once`],
  };
}
