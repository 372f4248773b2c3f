import type { DeleteTopicFloorSettings } from '../floors/delete-topic.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { startFloorDatabase } from '../harness/floor-database.ts';
import { runLoad } from '../harness/generator.ts';
import { logIn, owner } from '../harness/heddle-server.ts';
import { channelName } from '../harness/population.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { call, type Login, requestBytes } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

const JUDGED = 10_000;
const SENDERS = 4;
const MARKED_EVERY = 10;

/** One request deletes a topic in which every tenth message has a flag row, while other users send to another channel. */
export const deleteTopic: Benchmark = {
  name: 'delete_topic',
  about: 'POST /streams/{id}/delete_topic, and the worst of others’ sends meanwhile; size: messages in the topic',
  run: (settings) =>
    inTurn(sizesOf(settings, [1000, JUDGED], [100]), (size) => measureSize(size, settings)).then((all) => all.flat()),
};

async function measureSize(size: number, settings: Settings): Promise<Row[]> {
  settings.progress(`delete_topic: ${size} messages`);
  const topics = settings.repeats + 1;
  const count = size * topics;
  const channels = [0, 1].map(() => ({ first: 0, count: SENDERS }));
  // Each channel has the same number of messages. The benchmark does not delete those of the second channel.
  const messages = { count: 2 * count, unread: [0, 0], topics, markedEvery: MARKED_EVERY };
  const site = await openSite({ people: SENDERS, channels, messages });
  const database = await startFloorDatabase();
  const floorSettings: DeleteTopicFloorSettings = {
    database: database.connection,
    messages: size,
    topics,
    markedEvery: MARKED_EVERY,
  };
  const floor = await startFloor('delete-topic', floorSettings);
  try {
    const senders = await site.logins(upTo(SENDERS));
    const admin = await logIn(site.server, owner.email);
    const { stream_id: channelId } = await call(site.server.address, {
      method: 'GET',
      path: '/get_stream_id',
      login: admin,
      parameters: { stream: channelName(0) },
    });
    const turns = { heddle: 0, floor: 0 };
    const runs = await alternate(
      settings.repeats,
      () => measure(site.server, senders, admin, Number(channelId), turns.heddle++, size, settings),
      () => measure(floor, senders, admin, 1, turns.floor++, size, settings),
    );
    return rowsOf(size, runs.left, runs.right);
  } finally {
    await floor.program.stop();
    await database.stop();
    await site.close();
  }
}

interface Beside {
  readonly request: Run;
  readonly sends: Run;
}

async function measure(
  { address }: Server,
  senders: readonly Login[],
  admin: Login,
  channelId: number,
  turn: number,
  size: number,
  settings: Settings,
): Promise<Beside> {
  const request = {
    method: 'POST' as const,
    path: `/streams/${channelId}/delete_topic`,
    login: admin,
    parameters: { topic_name: `topic ${turn}` },
  };
  const parameters = { type: 'channel', to: channelName(1), topic: 'meanwhile', content: 'Anybody **here**?' };
  const found = await runLoad('besideSends', {
    address,
    request: requestBytes(address, request),
    sends: senders.map((login) => requestBytes(address, { method: 'POST', path: '/messages', login, parameters })),
    warmUp: settings.quick ? 0.2 : 1,
  });
  return {
    request: { rate: (1000 * size) / found.took, p50: found.took, p99: null },
    sends: { rate: found.worst, p50: found.p50, p99: found.p99 },
  };
}

function rowsOf(size: number, ours: readonly Beside[], theirs: readonly Beside[]): Row[] {
  const [heddle, floor] = [ours, theirs].map((runs) => summarize(runs.map(({ request }) => request)));
  const [sends, floorSends] = [ours, theirs].map((runs) => summarize(runs.map((run) => run.sends)));
  if (heddle === undefined || floor === undefined || sends === undefined || floorSends === undefined) return [];
  const common = { name: 'delete_topic', goal: '', met: null, notes: [] };
  return [
    {
      ...common,
      size: `${size} messages`,
      unit: 'messages/s',
      heddle,
      floor,
      ratio: quotient(heddle.rate, floor.rate),
    },
    {
      ...common,
      size: `${size} messages: sends`,
      unit: 'ms at worst',
      heddle: sends,
      floor: floorSends,
      ratio: quotient(sends.rate, floorSends.rate),
    },
  ];
}
