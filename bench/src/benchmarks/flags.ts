import type { FlagsFloorSettings } from '../floors/flags.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { startFloorDatabase } from '../harness/floor-database.ts';
import { runLoad } from '../harness/generator.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { call, type Login, numberField, requestBytes } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const JUDGED = 4000;
const CHANNELS = 20;

const SHAPES = ['oldest', 'newest', 'scattered'] as const;
type Shape = (typeof SHAPES)[number];

/** Users with the same unread messages mark some of them as read and then as unread, one user after the other. */
export const flags: Benchmark = {
  name: 'flags',
  about: 'POST /messages/flags, read and unread again; size: messages in the request, of 30,000 unread in 20 channels',
  async run(settings) {
    const unread = settings.quick ? 600 : 30_000;
    const people = settings.quick ? 10 : 200;
    settings.progress(`flags: ${unread} unread messages`);
    const channels = Array.from({ length: CHANNELS }, () => ({ first: 0, count: people }));
    const messages = { count: settings.quick ? 1000 : 300_000, unread: [unread] };
    const site = await openSite({ people, channels, messages });
    const database = await startFloorDatabase();
    try {
      const logins = await site.logins(upTo(people));
      const newest = await newestMessage(site.server, logins);
      const cases = sizesOf(settings, [100, 1000, JUDGED], [40]).flatMap((size) =>
        SHAPES.map((shape) => ({ size, shape })),
      );
      return await inTurn(cases, async ({ size, shape }) => {
        settings.progress(`flags: the ${shape} ${size}`);
        const ids = chosen(shape, size, newest - unread, newest);
        const floorSettings: FlagsFloorSettings = { database: database.connection, messages: newest, people };
        const floor = await startFloor('flags', floorSettings);
        try {
          const runs = await alternate(
            settings.repeats,
            () => measure(site.server, logins, ids, settings),
            () => measure(floor, logins, ids, settings),
          );
          return row(size, shape, runs.left, runs.right);
        } finally {
          await floor.program.stop();
        }
      });
    } finally {
      await database.stop();
      await site.close();
    }
  },
};

async function newestMessage(server: Server, [login]: readonly Login[]): Promise<number> {
  if (login === undefined) throw new Error('there is no user to read');
  const parameters = { event_types: '["message"]' };
  return numberField(
    await call(server.address, { method: 'POST', path: '/register', login, parameters }),
    'max_message_id',
  );
}

/** `count` message IDs after `after` and up to `through`, consecutive or distributed. */
function chosen(shape: Shape, count: number, after: number, through: number): number[] {
  const step = shape === 'scattered' ? (through - after) / count : 1;
  const first = shape === 'newest' ? through - count + 1 : after + 1;
  return Array.from({ length: count }, (_, index) => first + Math.floor(index * step));
}

async function measure(
  server: Server,
  logins: readonly Login[],
  ids: readonly number[],
  settings: Settings,
): Promise<Run> {
  const messages = JSON.stringify(ids);
  const marking = (login: Login, op: string) =>
    requestBytes(server.address, {
      method: 'POST',
      path: '/messages/flags',
      login,
      parameters: { messages, op, flag: 'read' },
    });
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address: server.address,
    requests: [logins.flatMap((login) => [marking(login, 'add'), marking(login, 'remove')])],
    ...spanOf(settings, { warmUp: 1, seconds: 4 }),
    countBodies: false,
  });
  return { rate, p50, p99 };
}

function row(size: number, shape: Shape, heddleRuns: readonly Run[], floorRuns: readonly Run[]): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  const judged = size === JUDGED && ratio !== null && heddle.p99 !== null;
  return {
    name: 'flags',
    size: `${shape} ${size}`,
    unit: 'requests/s',
    heddle,
    floor,
    ratio,
    goal: size === JUDGED ? '≥ 0.5, p99 ≤ 200 ms' : '',
    met: judged && heddle.p99 !== null ? ratio >= 0.5 && heddle.p99.median <= 200 : null,
    notes: [],
  };
}
