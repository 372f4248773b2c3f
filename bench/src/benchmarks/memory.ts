import { setTimeout as delay } from 'node:timers/promises';
import { HttpConnection } from '../harness/http-connection.ts';
import { type NpmStarted, npmStart } from '../harness/npm-start.ts';
import { personEmail } from '../harness/population.ts';
import { type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch } from '../harness/scratch.ts';
import { populatedDirectory, upTo } from '../harness/site.ts';
import { type ProcessMemory, treeMemory } from '../harness/tree-memory.ts';
import { call, callAll, type Login, numberField, requestBytes, successful, textField } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

const JUDGED = 150;
/** In megabytes, of all processes together. */
const GOAL = 150;
const CHANNELS = 20;
/** Each channel has every third person. All people are in the first one. */
const MESSAGES = 5000;
const AT_ONCE = 8;
/** The idle time before the measurement, in milliseconds. */
const IDLE_FOR = 60_000;

interface MemoryRun extends Run {
  readonly processes: readonly ProcessMemory[];
}

/** Measures all processes of `npm start`, after everybody has registered, read and received a message, and a minute without a request. */
export const memory: Benchmark = {
  name: 'memory',
  about: 'memory of all processes of npm start when idle; size: people',
  run: (settings) => inTurn(sizesOf(settings, [JUDGED], [5]), (size) => measureSize(size, settings)),
};

async function measureSize(people: number, settings: Settings): Promise<Row> {
  settings.progress(`memory: ${people} people`);
  const channels = upTo(CHANNELS).map((n) => ({ first: n * 7, count: n === 0 ? people : Math.ceil(people / 3) }));
  const messages = { count: settings.quick ? 50 : MESSAGES, worded: true, unread: [100] };
  const dataDirectory = await populatedDirectory({ people, channels, messages });
  const runs: MemoryRun[] = [];
  try {
    for (let turn = 0; turn < settings.repeats; turn++) {
      const started = await npmStart(dataDirectory);
      try {
        await useOnce(started, people);
        if (!settings.quick) await delay(IDLE_FOR);
        const processes = await treeMemory(started.pid);
        const bytes = processes.reduce((sum, one) => sum + one.bytes, 0);
        runs.push({ rate: bytes / 2 ** 20, p50: null, p99: null, processes });
      } finally {
        await started.stop();
      }
    }
  } finally {
    await removeScratch(dataDirectory);
  }
  return row(people, runs);
}

/** Each person registers, reads history, and holds a poll until a message arrives. Then all connections close. */
async function useOnce({ address }: NpmStarted, people: number): Promise<void> {
  const keys = await callAll(
    address,
    upTo(people).map((number) => ({
      method: 'POST',
      path: '/dev_fetch_api_key',
      parameters: { username: personEmail(number) },
    })),
    AT_ONCE,
  );
  const logins = keys.map((answer, number): Login => {
    return { email: personEmail(number), apiKey: textField(answer, 'api_key') };
  });
  const queues = await callAll(
    address,
    logins.map((login) => ({ method: 'POST', path: '/register', login, parameters: { apply_markdown: 'true' } })),
    AT_ONCE,
  );
  const range = { anchor: 'newest', num_before: '100', num_after: '0' };
  await callAll(
    address,
    logins.map((login) => ({ method: 'GET', path: '/messages', login, parameters: range })),
    AT_ONCE,
  );
  const connections = logins.map(() => new HttpConnection(address));
  const polls = connections.map((connection, index) => {
    const { [index]: queue = {} } = queues;
    const parameters = {
      queue_id: textField(queue, 'queue_id'),
      last_event_id: String(numberField(queue, 'last_event_id')),
    };
    const login = logins[index] ?? { email: '', apiKey: '' };
    return connection.request(requestBytes(address, { method: 'GET', path: '/events', login, parameters }));
  });
  const [sender] = logins;
  if (sender === undefined) throw new Error('there is nobody');
  const parameters = { type: 'channel', to: 'bench 0', topic: 'bench', content: 'hello' };
  await call(address, { method: 'POST', path: '/messages', login: sender, parameters });
  for (const { status, body } of await Promise.all(polls)) successful('GET /events', status, body);
  for (const connection of connections) connection.close();
}

function row(people: number, runs: readonly MemoryRun[]): Row {
  const heddle = summarize(runs.map(({ rate, p50, p99 }) => ({ rate, p50, p99 })));
  const isJudged = people === JUDGED;
  return {
    name: 'memory',
    size: `${people} people`,
    unit: 'MB',
    heddle,
    floor: null,
    ratio: null,
    goal: isJudged ? `≤ ${GOAL} MB` : '',
    met: isJudged && heddle.rate !== null ? heddle.rate.median <= GOAL : null,
    notes: (runs.at(-1)?.processes ?? []).map(inWords),
  };
}

function inWords({ name, bytes, anonymousBytes, fileBytes, sharedBytes }: ProcessMemory): string {
  const megabytes = (of: number) => (of / 2 ** 20).toFixed(1);
  return `${megabytes(bytes)} MB ${name} (heap ${megabytes(anonymousBytes)}, files ${megabytes(fileBytes)}, shared ${megabytes(sharedBytes)})`;
}
