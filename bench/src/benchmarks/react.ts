import { emojiData } from '@heddle/server/markup/index.ts';
import type { ReactFloorSettings } from '../floors/react.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { startFloorDatabase } from '../harness/floor-database.ts';
import { runLoad } from '../harness/generator.ts';
import { channelName } from '../harness/population.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, callAll, type Login, requestBytes } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const SUBSCRIBERS = 256;
const MESSAGES = 200;
const JUDGED = 256;
const FLOOR_CONNECTIONS = 32;
const EMOJI = Object.entries(emojiData.code_to_names).map(([code, [name = '']]) => ({ code, name }));

/** `size` users add reactions to the same messages of a channel, one after the other, and then remove them. */
export const react: Benchmark = {
  name: 'react',
  about: 'added and removed reactions in a channel of 256; size: concurrent users',
  async run(settings) {
    const people = settings.quick ? 10 : SUBSCRIBERS;
    const count = settings.quick ? 10 : MESSAGES;
    const site = await openSite({ people, channels: [{ first: 0, count: people }] });
    const database = await startFloorDatabase();
    const floorSettings: ReactFloorSettings = {
      database: database.connection,
      connections: FLOOR_CONNECTIONS,
      people,
      messages: 10 * MESSAGES,
    };
    const floor = await startFloor('react', floorSettings);
    try {
      const logins = await site.logins(upTo(people));
      let used = 0;
      const messages = await messagesIn(site.server, logins[0], count);
      return await inTurn(sizesOf(settings, [8, 64, JUDGED], [4]), async (size) => {
        settings.progress(`react: ${size} at once`);
        // Each run uses another emoji, so that reactions of the previous run do not matter.
        const calls = () => {
          const emoji = EMOJI[used++ % EMOJI.length];
          return logins.slice(0, size).map((login, person) => reacting(login, person, messages, emoji));
        };
        const runs = await alternate(
          settings.repeats,
          () => measure(site.server, calls(), settings),
          () => measure(floor, calls(), settings),
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

async function messagesIn(server: Server, login: Login | undefined, count: number): Promise<number[]> {
  if (login === undefined) throw new Error('there is no user to write');
  const parameters = { type: 'channel', to: channelName(0), topic: 'votes', content: 'Shall we?' };
  const calls = upTo(count).map((): Call => ({ method: 'POST', path: '/messages', login, parameters }));
  return (await callAll(server.address, calls, 16)).map((answer) => (answer as unknown as { id: number }).id);
}

/** Each user starts with another message. */
function reacting(
  login: Login,
  person: number,
  messages: readonly number[],
  { code = '', name = '' }: (typeof EMOJI)[number] = { code: '', name: '' },
): Call[] {
  const start = (person * 7) % messages.length;
  const own = [...messages.slice(start), ...messages.slice(0, start)];
  const emoji = { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' };
  return (['POST', 'DELETE'] as const).flatMap((method) =>
    own.map((message) => ({
      method,
      path: `/messages/${message}/reactions` as const,
      login,
      parameters: { ...emoji, floor_user: String(person) },
    })),
  );
}

async function measure({ address }: Server, calls: readonly (readonly Call[])[], { quick }: Settings): Promise<Run> {
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address,
    requests: calls.map((own) => own.map((call) => requestBytes(address, call))),
    ...spanOf({ quick }, { warmUp: 2, seconds: 5 }),
    countBodies: false,
  });
  return { rate, p50, p99 };
}

function row(size: number, heddleRuns: readonly Run[], floorRuns: readonly Run[]): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  const isJudged = size === JUDGED && ratio !== null;
  return {
    name: 'react',
    size: String(size),
    unit: 'a second',
    heddle,
    floor,
    ratio,
    goal: size === JUDGED ? '≥ 0.5' : '',
    met: isJudged ? ratio >= 0.5 : null,
    notes: [],
  };
}
