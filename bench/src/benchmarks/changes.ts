import type { ChangesFloorSettings } from '../floors/changes.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { startFloorDatabase } from '../harness/floor-database.ts';
import { runLoad } from '../harness/generator.ts';
import { channelName } from '../harness/population.ts';
import { quotient, type Row, type Run, type Summary, summarize } from '../harness/result.ts';
import { openSite, type Site, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, call, callAll, type Login, requestBytes } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const CHANNELS = 20;
const SUBSCRIBERS = 10;
const CHANGERS = 64;
const MEASURED_SENDERS = 64;
/** The number of messages that all users star and unstar in turn. */
const STARRED = 200;
const FLOOR_CONNECTIONS = 32;

type Kind = 'stars' | 'colours';

/** `size` users send, while other users make small changes one after the other. */
export const changes: Benchmark = {
  name: 'changes',
  about: 'small changes per second by 64 clients; size: concurrent senders',
  async run(settings) {
    const people = CHANNELS * SUBSCRIBERS;
    const channels = upTo(CHANNELS).map((index) => ({ first: index * SUBSCRIBERS, count: SUBSCRIBERS }));
    const site = await openSite({ people, channels });
    const database = await startFloorDatabase();
    const floorSettings: ChangesFloorSettings = { database: database.connection, connections: FLOOR_CONNECTIONS };
    const floor = await startFloor('changes', floorSettings);
    try {
      const crowd = await gather(site, settings.quick ? 4 : CHANGERS, settings.quick ? 4 : MEASURED_SENDERS);
      const rows = await inTurn(['stars', 'colours'] as const, (kind) =>
        inTurn(sizesOf(settings, [8, 64], [4]), (senders) => {
          settings.progress(`changes: ${kind}, ${senders} senders`);
          return measureKind(site.server, floor, crowd, kind, senders, settings);
        }),
      );
      return rows.flat(2);
    } finally {
      await floor.program.stop();
      await database.stop();
      await site.close();
    }
  },
};

interface Crowd {
  readonly sends: readonly (readonly Call[])[];
  readonly changes: Readonly<Record<Kind, readonly (readonly Call[])[]>>;
}

async function gather(site: Site, changers: number, senders: number): Promise<Crowd> {
  const people = Math.max(changers, senders);
  const logins = await site.logins(upTo(people).map(memberOf));
  const ids = await Promise.all(upTo(CHANNELS).map((channel) => channelId(site.server, logins[0], channel)));
  const starred = await messagesIn(site.server, logins, settingsOf(people));
  return {
    sends: logins.slice(0, senders).map(messagesOf),
    changes: {
      stars: logins.slice(0, changers).map((login, index) => starring(login, index, starred[index % CHANNELS] ?? [])),
      colours: logins.slice(0, changers).map((login, index) => colouring(login, index, ids[index % CHANNELS] ?? 0)),
    },
  };
}

function settingsOf(people: number): number {
  return people < CHANNELS ? 10 : STARRED;
}

/** The number of a subscriber, from another channel for each user. */
function memberOf(person: number): number {
  return (person % CHANNELS) * SUBSCRIBERS + (Math.floor(person / CHANNELS) % SUBSCRIBERS);
}

async function channelId(server: Server, login: Login | undefined, channel: number): Promise<number> {
  if (login === undefined) throw new Error('nobody to ask with');
  const parameters = { stream: channelName(channel) };
  const answer = await call(server.address, { method: 'GET', path: '/get_stream_id', login, parameters });
  return (answer as { stream_id: number }).stream_id;
}

/** Sends messages to each channel of these users. Returns the message IDs. */
async function messagesIn(server: Server, logins: readonly Login[], count: number): Promise<number[][]> {
  return inTurn(logins.slice(0, CHANNELS), async (login) => {
    const index = logins.indexOf(login);
    const one: Call = {
      method: 'POST',
      path: '/messages',
      login,
      parameters: { type: 'channel', to: channelName(index % CHANNELS), topic: 'stars', content: 'A star for this' },
    };
    const answers = await callAll(
      server.address,
      upTo(count).map(() => one),
      16,
    );
    return answers.map((answer) => (answer as unknown as { id: number }).id);
  });
}

function messagesOf(login: Login, sender: number): Call[] {
  return upTo(40).map((index) => ({
    method: 'POST',
    path: '/messages',
    login,
    parameters: {
      type: 'channel',
      to: channelName(sender % CHANNELS),
      topic: `topic ${index % 5}`,
      content: `Build **${index}** of \`loom-${sender}\` is up. `.padEnd(200, 'and so on '),
    },
  }));
}

/** Stars and unstars each message, so that every change adds or removes one row. */
function starring(login: Login, person: number, messages: readonly number[]): Call[] {
  return (['add', 'remove'] as const).flatMap((op) =>
    messages.map((message) => ({
      method: 'POST' as const,
      path: '/messages/flags',
      login,
      parameters: { messages: JSON.stringify([message]), op, flag: 'starred', floor_user: String(person) },
    })),
  );
}

function colouring(login: Login, person: number, stream_id: number): Call[] {
  return upTo(40).map((index) => {
    const value = `#${String(100_000 + person * 1000 + index)}`;
    return {
      method: 'POST',
      path: '/users/me/subscriptions/properties',
      login,
      parameters: {
        subscription_data: JSON.stringify([{ stream_id, property: 'color', value }]),
        floor_user: String(person),
      },
    };
  });
}

interface Beside {
  readonly changes: Run;
  readonly sends: Run;
}

async function measureKind(
  heddle: Server,
  floor: Server,
  crowd: Crowd,
  kind: Kind,
  senders: number,
  settings: Settings,
): Promise<Row[]> {
  const sends = crowd.sends.slice(0, senders);
  const alone: Run[] = [];
  const beside = await alternate(
    settings.repeats,
    async () => {
      alone.push(await runLoad('closedLoop', { ...common(heddle, settings), requests: bytes(heddle, sends) }));
      return measure(heddle, crowd.changes[kind], sends, settings);
    },
    () => measure(floor, crowd.changes[kind], sends, settings),
  );
  const size = `${kind}, ${senders} senders`;
  const isMeasured = senders === MEASURED_SENDERS;
  const row = (what: string, ours: Summary, theirs: Summary, least: number, goal: string): Row => {
    const ratio = quotient(ours.rate, theirs.rate);
    const met = isMeasured && ratio !== null ? ratio >= least : null;
    return {
      name: 'changes',
      size: `${size}${what}`,
      unit: 'a second',
      heddle: ours,
      floor: theirs,
      ratio,
      goal: isMeasured ? goal : '',
      met,
      notes: [],
    };
  };
  const ofChanges = { ours: beside.left.map((run) => run.changes), theirs: beside.right.map((run) => run.changes) };
  return [
    row('', summarize(ofChanges.ours), summarize(ofChanges.theirs), 0.5, '≥ 0.5'),
    row(': sends, over sends alone', summarize(beside.left.map((run) => run.sends)), summarize(alone), 2 / 3, '≥ 0.67'),
  ];
}

async function measure(
  server: Server,
  changing: readonly (readonly Call[])[],
  sending: readonly (readonly Call[])[],
  settings: Settings,
): Promise<Beside> {
  const crowds = { first: bytes(server, changing), second: bytes(server, sending) };
  const { first, second } = await runLoad('twoCrowds', { ...common(server, settings), ...crowds });
  return { changes: first, sends: second };
}

function common({ address }: Server, { quick }: Settings) {
  return { address, ...spanOf({ quick }, { warmUp: 2, seconds: 5 }), countBodies: false };
}

function bytes({ address }: Server, calls: readonly (readonly Call[])[]): string[][] {
  return calls.map((own) => own.map((each) => requestBytes(address, each)));
}
