import type { SubscribeFloorSettings } from '../floors/subscribe.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { startFloorDatabase } from '../harness/floor-database.ts';
import { runLoad } from '../harness/generator.ts';
import { channelName, personName } from '../harness/population.ts';
import { quotient, type Row, type Run, type Summary, summarize } from '../harness/result.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, call, type Login, requestBytes } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

const JUDGED = 20_000;
const SENDERS = 4;

const SHAPES = ['create with', 'add'] as const;
type Shape = (typeof SHAPES)[number];

/** One request subscribes many users to a new or an existing channel, while other users send to another channel. */
export const subscribe: Benchmark = {
  name: 'subscribe',
  about:
    'POST /users/me/subscriptions, and the worst of others’ sends meanwhile; size: people subscribed to one channel',
  async run(settings) {
    const sizes = sizesOf(settings, [1000, 5000, JUDGED], [50]);
    const people = Math.max(...sizes, SENDERS);
    settings.progress(`subscribe: ${people} people`);
    const site = await openSite({ people, channels: [{ first: 0, count: SENDERS }] });
    const database = await startFloorDatabase();
    const floorSettings: SubscribeFloorSettings = { database: database.connection, people };
    const floor = await startFloor('subscribe', floorSettings);
    try {
      const logins = await site.logins(upTo(SENDERS));
      const [caller] = logins;
      if (caller === undefined) throw new Error('nobody to subscribe with');
      const everybody = await idsOf(site.server, caller);
      const cases = sizes.flatMap((size) => SHAPES.map((shape) => ({ size, shape })));
      const rows = await inTurn(cases, async ({ size, shape }) => {
        settings.progress(`subscribe: ${shape} ${size}`);
        const principals = everybody.slice(0, size);
        const runs = await alternate(
          settings.repeats,
          async () => {
            const name = await channelFor(site.server, caller, shape);
            return measure(site.server, logins, subscribing(caller, name, principals), settings);
          },
          () => measure(floor, logins, subscribing(caller, '', principals), settings),
        );
        return rowsOf(shape, size, runs.left, runs.right);
      });
      return rows.flat();
    } finally {
      await floor.program.stop();
      await database.stop();
      await site.close();
    }
  },
};

interface Beside {
  readonly request: Run;
  readonly sends: Run;
}

let made = 0;

/** The name of a new channel, or of a channel with one subscriber. */
async function channelFor({ address }: Server, login: Login, shape: Shape): Promise<string> {
  const name = `crowd ${++made}`;
  if (shape === 'add') await call(address, subscribing(login, name, null));
  return name;
}

function subscribing(login: Login, name: string, principals: readonly number[] | null): Call {
  return {
    method: 'POST',
    path: '/users/me/subscriptions',
    login,
    parameters: {
      subscriptions: JSON.stringify([{ name, description: 'Where the **whole** crowd meets' }]),
      ...(principals !== null && { principals: JSON.stringify(principals) }),
    },
  };
}

async function idsOf({ address }: Server, login: Login): Promise<number[]> {
  const { members } = await call(address, { method: 'GET', path: '/users', login });
  const prefix = personName(0).slice(0, -1);
  return (members as { user_id: number; full_name: string }[])
    .filter((member) => member.full_name.startsWith(prefix))
    .map((member) => member.user_id);
}

async function measure(
  { address }: Server,
  logins: readonly Login[],
  request: Call,
  settings: Settings,
): Promise<Beside> {
  const people = JSON.parse(request.parameters?.principals ?? '[]') as number[];
  const parameters = { type: 'channel', to: channelName(0), topic: 'meanwhile', content: 'Anybody **here**?' };
  const sends = logins.map((login) => requestBytes(address, { method: 'POST', path: '/messages', login, parameters }));
  const found = await runLoad('besideSends', {
    address,
    request: requestBytes(address, request),
    sends,
    warmUp: settings.quick ? 0.2 : 1,
  });
  return {
    request: { rate: (1000 * people.length) / found.took, p50: found.took, p99: null },
    sends: { rate: found.worst, p50: found.p50, p99: found.p99 },
  };
}

function rowsOf(shape: Shape, size: number, ours: readonly Beside[], theirs: readonly Beside[]): Row[] {
  const requests = [ours, theirs].map((runs) => summarize(runs.map(({ request }) => request))) as [Summary, Summary];
  const sends = [ours, theirs].map((runs) => summarize(runs.map((run) => run.sends))) as [Summary, Summary];
  const isJudged = size === JUDGED;
  const ratio = quotient(requests[0].rate, requests[1].rate);
  const took = requests[0].p50?.median ?? Number.POSITIVE_INFINITY;
  const worst = sends[0].rate?.median ?? Number.POSITIVE_INFINITY;
  const common = { name: 'subscribe', notes: [] };
  return [
    {
      ...common,
      size: `${shape} ${size}`,
      unit: 'people/s',
      heddle: requests[0],
      floor: requests[1],
      ratio,
      goal: isJudged ? '≥ 0.3, ≤ 1 s' : '',
      met: isJudged && ratio !== null ? ratio >= 0.3 && took <= 1000 : null,
    },
    {
      ...common,
      size: `${shape} ${size}: sends`,
      unit: 'ms at worst',
      heddle: sends[0],
      floor: sends[1],
      ratio: quotient(sends[0].rate, sends[1].rate),
      goal: isJudged ? 'worst ≤ 100 ms' : '',
      met: isJudged ? worst <= 100 : null,
    },
  ];
}
