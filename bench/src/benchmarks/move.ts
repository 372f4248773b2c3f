import { runLoad } from '../harness/generator.ts';
import { logIn, owner } from '../harness/heddle-server.ts';
import { channelName } from '../harness/population.ts';
import { type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, type Site, upTo } from '../harness/site.ts';
import { type Call, call, type Login, requestBytes } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

const SENDERS = 4;
/** Messages per topic. `BENCH_MESSAGES` sets it. */
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1000);
/** The goal in milliseconds. */
const GOAL = 2000;

/** One request moves a topic to another topic or to another channel, while other users send. */
export const move: Benchmark = {
  name: 'move',
  about: `PATCH /messages/{id} of a whole topic of ${MESSAGES}, and the slowest concurrent send; size: subscribers`,
  run: (settings) =>
    inTurn(sizesOf(settings, [10, 1000, 100_000], [10]), (size) => measureSize(size, settings)).then((all) =>
      all.flat(),
    ),
};

interface Scene {
  readonly site: Site;
  readonly admin: Login;
  readonly senders: readonly Login[];
  /** A message of the topic. */
  readonly messageId: number;
  readonly channelIds: readonly number[];
}

async function measureSize(size: number, settings: Settings): Promise<Row[]> {
  settings.progress(`move: ${size} subscribers`);
  const people = Math.max(size, SENDERS);
  const messages = { count: 2 * (settings.quick ? 100 : MESSAGES), unread: [MESSAGES / 2], topics: 1 };
  const channels = [0, 1].map(() => ({ first: 0, count: size }));
  const site = await openSite({ people, channels, messages });
  try {
    const scene = await gather(site);
    const rename = (turn: number) => ({ topic: `turn ${turn}` });
    const leave = (turn: number) => ({ stream_id: scene.channelIds[(turn + 1) % 2] ?? 0 });
    return [
      ...(await measured(scene, `${size} subscribers: topic`, rename, settings)),
      ...(await measured(scene, `${size} subscribers: channel`, leave, settings)),
    ];
  } finally {
    await site.close();
  }
}

async function gather(site: Site): Promise<Scene> {
  const { address } = site.server;
  const senders = await site.logins(upTo(SENDERS));
  const admin = await logIn(site.server, owner.email);
  const ask = (path: string, parameters: Call['parameters']) =>
    call(address, { method: 'GET', path, login: admin, ...(parameters && { parameters }) });
  const channelIds: number[] = [];
  for (const number of [0, 1]) {
    channelIds.push(Number((await ask('/get_stream_id', { stream: channelName(number) })).stream_id));
  }
  const narrow = JSON.stringify([{ operator: 'channel', operand: channelIds[0] }]);
  const page = await ask('/messages', { narrow, anchor: 'newest', num_before: '1', num_after: '0' });
  const [message] = page.messages as { id: number }[];
  if (message === undefined) throw new Error('nothing to move');
  return { site, admin, senders, messageId: message.id, channelIds };
}

async function measured(
  scene: Scene,
  size: string,
  parametersOf: (turn: number) => Record<string, string | number>,
  settings: Settings,
): Promise<Row[]> {
  const found = await inTurn(upTo(settings.repeats), (turn) => measure(scene, parametersOf(turn), settings));
  const moves = summarize(found.map(({ request }) => request));
  const sends = summarize(found.map((run) => run.sends));
  const common = { name: 'move', floor: null, ratio: null, notes: [] };
  const took = moves.rate?.median ?? null;
  const met = settings.quick || took === null ? null : took <= GOAL;
  return [
    { ...common, size, unit: 'ms', heddle: moves, goal: `≤ ${GOAL} ms`, met },
    { ...common, size: `${size}, sends`, unit: 'ms at worst', heddle: sends, goal: '', met: null },
  ];
}

async function measure(
  { site, admin, senders, messageId }: Scene,
  place: Record<string, string | number>,
  settings: Settings,
): Promise<{ readonly request: Run; readonly sends: Run }> {
  const { address } = site.server;
  const parameters = { ...place, propagate_mode: 'change_all', send_notification_to_new_thread: 'false' };
  const texts = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  const request = { method: 'PATCH' as const, path: `/messages/${messageId}`, login: admin, parameters: texts };
  const sending = { type: 'channel', to: channelName(0), topic: 'meanwhile', content: 'Anybody **here**?' };
  const found = await runLoad('besideSends', {
    address,
    request: requestBytes(address, request),
    sends: senders.map((login) =>
      requestBytes(address, { method: 'POST', path: '/messages', login, parameters: sending }),
    ),
    warmUp: settings.quick ? 0.2 : 1,
  });
  return {
    request: { rate: found.took, p50: found.took, p99: null },
    sends: { rate: found.worst, p50: found.p50, p99: found.p99 },
  };
}
