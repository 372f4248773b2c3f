import type { Server } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { logIn, owner } from '../harness/heddle-server.ts';
import { channelName, personEmail } from '../harness/population.ts';
import { type Row, type Run, type Summary, summarize } from '../harness/result.ts';
import { openSite, type Site, upTo } from '../harness/site.ts';
import { type Call, call, callAll, type Login } from '../harness/wire.ts';
import type { Attack } from '../loads/attack.ts';
import type { Scene } from './attacker.ts';
import { type Benchmark, inTurn, type Settings } from './benchmark.ts';
import { worstRequests } from './worst-requests.ts';

const PEOPLE = 10_000;
const MESSAGES = 200_000;
const TOPICS = 10_000;
/** The length of the newest messages of the channel. Their HTML has the maximum size. */
const LONG_MESSAGES = 3000;
/** The goal: the most time that an attack adds to the slowest send, in milliseconds. */
const MAX_ADDED_MS = 100;
const SEND_EVERY = 20;
const SENDERS = 8;
const CHANNEL = 'neighbours';
/** With default rate limits, and without them. */
const MODES = ['limited', 'unlimited'] as const;
type Mode = (typeof MODES)[number];

/** One account makes expensive requests on eight connections, while other users send at a normal pace. */
export const neighbours: Benchmark = {
  name: 'neighbours',
  about: 'latency of a send in ms, while one account makes expensive requests; floor: without these requests',
  async run(settings) {
    const size = settings.quick ? 200 : PEOPLE;
    const site = await openSite({
      people: size,
      channels: [{ first: 0, count: size }],
      messages: { count: settings.quick ? 2000 : MESSAGES, unread: [MESSAGES], topics: TOPICS },
    });
    try {
      const cast = await gather(site, settings);
      const rows = await inTurn(settings.quick ? MODES.slice(1) : MODES, async (mode) => {
        await site.restart(mode);
        // Other benchmarks measure the first seconds of a server.
        await send(site.server, cast, secondsOf(settings));
        const kinds = [...worstRequests(attackersView(cast, site.server, personOf(cast)))].filter(
          ([kind], index) => isChosen(`${kind}, ${mode}`) && (!settings.quick || index % 12 === 0),
        );
        return inTurn(kinds, ([kind]) => measureKind(site.server, cast, mode, kind, settings));
      });
      return rows.flat();
    } finally {
      await site.close();
    }
  },
};

/** A regular expression that selects kinds by name. */
function isChosen(kind: string): boolean {
  return new RegExp(process.env.BENCH_KIND ?? '').test(kind);
}

interface Cast {
  readonly scene: Omit<Scene, 'attacker' | 'ownMessage'>;
  /** The accounts take turns, so that the rate limit of one minute hardly affects them. */
  readonly people: readonly Person[];
  next: number;
}

interface Person {
  readonly login: Login;
  /** A message of this user. */
  readonly message: number;
}

/** Logs users in and fills the channel with messages that are expensive to fetch. */
async function gather(site: Site, settings: Settings): Promise<Cast> {
  const { address } = site.server;
  const logins = await site.logins(upTo(settings.quick ? 40 : 2000));
  const [attacker] = logins;
  if (attacker === undefined) throw new Error('there is no user to attack');
  const subscribing = { subscriptions: JSON.stringify([{ name: CHANNEL }]) };
  const ask = (method: Call['method'], path: string, parameters = {}) =>
    call(address, { method, path, login: attacker, parameters });
  await ask('POST', '/users/me/subscriptions', subscribing);
  const { members } = (await ask('GET', '/users')) as { members: { user_id: number; email: string }[] };
  const { stream_id: channelId } = (await ask('GET', '/get_stream_id', { stream: channelName(0) })) as {
    stream_id: number;
  };
  const long = '**a** '.repeat(1660);
  const sends = upTo(settings.quick ? 20 : LONG_MESSAGES).map(() => ({
    method: 'POST' as const,
    path: '/messages',
    login: attacker,
    parameters: { type: 'channel', to: channelName(0), topic: 'long', content: long },
  }));
  const sent = await callAll(address, sends, 16);
  const newestMessage = Number(sent.at(-1)?.id);
  const userIds = members.filter(({ email }) => email !== personEmail(0)).map((member) => member.user_id);
  await moderate(site.server);
  const own = logins.map((login) => ({
    method: 'POST' as const,
    path: '/messages',
    login,
    parameters: { type: 'channel', to: channelName(0), topic: 'own', content: 'short' },
  }));
  const ownMessages = await callAll(address, own, 16);
  const people = logins.map((login, index) => ({ login, message: Number(ownMessages[index]?.id) }));
  return { scene: { address, userIds, channelId, newestMessage, messages: MESSAGES }, people, next: 1 };
}

/** Sets the moderation request channel, and an edit limit that exceeds the duration of all kinds. */
async function moderate(server: Server): Promise<void> {
  const login = await logIn(server, owner.email);
  const ask = (method: Call['method'], path: string, parameters: Readonly<Record<string, string>>) =>
    call(server.address, { method, path, login, parameters });
  const { id } = await ask('POST', '/channels/create', { name: 'reports', subscribers: '[]', invite_only: 'true' });
  await ask('PATCH', '/realm', {
    moderation_request_channel_id: `${id}`,
    message_content_edit_limit_seconds: JSON.stringify('unlimited'),
  });
}

function personOf(cast: Cast): Person {
  const person = cast.people[cast.next++ % cast.people.length];
  if (person === undefined) throw new Error('nobody is left');
  return person;
}

function attackersView({ scene }: Cast, { address }: Server, { login, message }: Person): Scene {
  return { ...scene, address, attacker: login, ownMessage: message };
}

function secondsOf({ quick }: Settings): number {
  return quick ? 0.1 : 2.5;
}

async function send(server: Server, cast: Cast, seconds: number): Promise<Run> {
  const { p50, p99, worst } = await runLoad('steadySends', {
    address: server.address,
    senders: Array.from({ length: SENDERS }, () => personOf(cast).login),
    channel: CHANNEL,
    every: SEND_EVERY,
    seconds,
  });
  return { rate: worst, p50, p99 };
}

async function measureKind(server: Server, cast: Cast, mode: Mode, kind: string, settings: Settings): Promise<Row> {
  settings.progress(`neighbours: ${kind}, ${mode}`);
  const seconds = secondsOf(settings);
  const alone: Run[] = [];
  const beside: Run[] = [];
  const answers: Record<string, number> = {};
  for (let turn = 0; turn < settings.repeats; turn++) {
    alone.push(await send(server, cast, seconds));
    const attack: Attack | undefined = worstRequests(attackersView(cast, server, personOf(cast))).get(kind);
    if (attack === undefined) throw new Error(`there is no kind ${kind}`);
    const attacking = runLoad('attack', {
      address: server.address,
      attack,
      seconds: seconds + (settings.quick ? 0.3 : 1),
    });
    const [run, result] = await Promise.all([send(server, cast, seconds), attacking]);
    beside.push(run);
    for (const [status, count] of Object.entries(result.answers)) answers[status] = (answers[status] ?? 0) + count;
  }
  const heddle = summarize(beside);
  const floor = summarize(alone);
  settings.progress(
    `  p50, p99 and maximum ${figures(heddle)}; without the attack ${figures(floor)}; ${JSON.stringify(answers)}`,
  );
  const added = (heddle.rate?.median ?? 0) - (floor.rate?.median ?? 0);
  return {
    name: 'neighbours',
    size: `${kind}, ${mode}`,
    unit: 'ms at worst',
    heddle,
    floor,
    ratio: null,
    goal: `≤ ${MAX_ADDED_MS} ms more`,
    met: added <= MAX_ADDED_MS,
    notes: [`responses ${JSON.stringify(answers)}`],
  };
}

function figures({ p50, p99, rate }: Summary): string {
  return [p50, p99, rate].map((spread) => Math.round(spread?.median ?? Number.NaN)).join(' ');
}
