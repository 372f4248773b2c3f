import type { EditFloorSettings } from '../floors/edit.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { startFloorDatabase } from '../harness/floor-database.ts';
import { runLoad } from '../harness/generator.ts';
import { channelName } from '../harness/population.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, type Site, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, callAll, type Login, requestBytes } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const EDITORS = 32;
/** The number of messages per user. Users edit their messages in turn. */
const MESSAGES = 20;
const JUDGED = 10;
const FLOOR_CONNECTIONS = 32;

/** Users edit their messages in one channel. Each subscriber receives an event with personal flags. */
export const edit: Benchmark = {
  name: 'edit',
  about: "PATCH /messages/{id} with another text, by 32 clients; size: the channel's subscribers",
  async run(settings) {
    const sizes = sizesOf(settings, [JUDGED, 1000, 20_000], [JUDGED]);
    const people = Math.max(EDITORS, ...sizes);
    const site = await openSite({ people, channels: sizes.map((count) => ({ first: 0, count })) });
    const database = await startFloorDatabase();
    const floorSettings: EditFloorSettings = {
      database: database.connection,
      connections: FLOOR_CONNECTIONS,
      messages: EDITORS * MESSAGES,
    };
    const floor = await startFloor('edit', floorSettings);
    try {
      return await inTurn([...sizes.entries()], async ([channel, size]) => {
        settings.progress(`edit: ${size} subscribers`);
        const calls = await editsIn(site, channel, Math.min(size, EDITORS));
        const runs = await alternate(
          settings.repeats,
          () => measure(site.server, calls, settings),
          () => measure(floor, calls, settings),
        );
        return row(size, runs.left, runs.right);
      });
    } finally {
      await floor.program.stop();
      await database.stop();
      await site.close();
    }
  },
};

/** Sends messages from `people` users to the channel. Returns the requests to edit them, one list per connection. */
async function editsIn(site: Site, channel: number, people: number): Promise<Call[][]> {
  const logins = await site.logins(upTo(people));
  return Promise.all(
    upTo(EDITORS).map(async (editor) => {
      const login = logins[editor % people];
      if (login === undefined) throw new Error('there is no user to edit');
      const parameters = { type: 'channel', to: channelName(channel), topic: 'edits', content: 'A first text' };
      const sends = upTo(MESSAGES).map((): Call => ({ method: 'POST', path: '/messages', login, parameters }));
      const answers = await callAll(site.server.address, sends, 1);
      return answers.flatMap((answer) => editsOf(login, (answer as unknown as { id: number }).id));
    }),
  );
}

function editsOf(login: Login, id: number): Call[] {
  return upTo(2).map((time) => ({
    method: 'PATCH',
    path: `/messages/${id}`,
    login,
    parameters: { content: `Build **${time}** of \`loom-${id}\` is up. `.padEnd(200, 'and so on ') },
  }));
}

async function measure(server: Server, calls: readonly (readonly Call[])[], settings: Settings): Promise<Run> {
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address: server.address,
    requests: calls.map((own) => own.map((one) => requestBytes(server.address, one))),
    ...spanOf(settings, { warmUp: 1, seconds: 4 }),
    countBodies: false,
  });
  return { rate, p50, p99 };
}

function row(size: number, heddleRuns: readonly Run[], floorRuns: readonly Run[]): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  const isJudged = size === JUDGED;
  return {
    name: 'edit',
    size: `${size} subscribers`,
    unit: 'requests/s',
    heddle,
    floor,
    ratio,
    goal: isJudged ? '≥ 0.5' : '',
    met: isJudged && ratio !== null ? ratio >= 0.5 : null,
    notes: [],
  };
}
