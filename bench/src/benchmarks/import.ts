import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { writeZip } from '@heddle/server/testing/server/imported.ts';
import { serveEnvironment } from '../harness/heddle-server.ts';
import { residentBytes } from '../harness/memory.ts';
import { type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch, scratchDirectory } from '../harness/scratch.ts';
import { upTo } from '../harness/site.ts';
import { wordOf } from '../harness/words.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

const JUDGED = 100_000;
const GOAL_SECONDS = 60;
const USERS = 200;
const CHANNELS = 50;
const MESSAGES_PER_DAY = 2000;
/** How often the memory of the process is read, in milliseconds. */
const MEMORY_INTERVAL_MS = 100;

/** Imports the export of a Slack workspace into an empty database. */
export const importArchive: Benchmark = {
  name: 'import',
  about: `heddle import slack, from the start of the command to its end; size: messages in ${CHANNELS} channels`,
  run: (settings) => inTurn(sizesOf(settings, [10_000, JUDGED], [1000]), (size) => measureSize(size, settings)),
};

async function measureSize(count: number, settings: Settings): Promise<Row> {
  settings.progress(`import: ${count} messages`);
  const directory = await scratchDirectory('archive');
  const runs: Run[] = [];
  const peaks: number[] = [];
  try {
    const archive = join(directory, 'slack.zip');
    await writeZip(archive, slackEntries(count));
    for (let turn = 0; turn < settings.repeats; turn++) {
      const dataDirectory = await scratchDirectory('data');
      // The time that PostgreSQL needs to create its cluster is not part of the import.
      await run(['migrate'], dataDirectory);
      const begun = performance.now();
      const { output, peak } = await run(['import', 'slack', archive, '--subdomain', '', '--json'], dataDirectory);
      const seconds = (performance.now() - begun) / 1000;
      if (JSON.parse(output).imported.messages !== count) throw new Error('the import does not have all messages');
      runs.push({ rate: seconds, p50: null, p99: null });
      peaks.push(peak);
      await removeScratch(dataDirectory);
    }
  } finally {
    await removeScratch(directory);
  }
  const heddle = summarize(runs);
  return {
    name: 'import',
    size: `${count} messages`,
    unit: 's',
    heddle,
    floor: null,
    ratio: null,
    goal: count === JUDGED ? `≤ ${GOAL_SECONDS} s` : '',
    met: count !== JUDGED || heddle.rate === null ? null : heddle.rate.median <= GOAL_SECONDS,
    notes: [`${(Math.max(...peaks) / 2 ** 20).toFixed(0)} MB resident at most`],
  };
}

/** Runs a command to its end. */
async function run(
  args: readonly string[],
  dataDirectory: string,
): Promise<{ readonly output: string; readonly peak: number }> {
  const child = spawn('scripts/node', ['server/src/main.ts', ...args], {
    env: { ...process.env, ...serveEnvironment(dataDirectory) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors, peak] = ['', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const timer = setInterval(() => {
    void residentBytes(child.pid ?? 0).then(
      (bytes) => {
        peak = Math.max(peak, bytes);
      },
      // The process has ended.
      () => undefined,
    );
  }, MEMORY_INTERVAL_MS);
  const [code] = await once(child, 'close');
  clearInterval(timer);
  if (code !== 0) throw new Error(`heddle ${args.join(' ')} ended with code ${code}: ${errors}`);
  return { output, peak };
}

/** A workspace with threads, mentions, reactions and edits. */
function* slackEntries(count: number): Generator<readonly [string, string]> {
  const users = upTo(USERS).map((user) => ({
    ...{ id: `U${user}`, name: `user${user}`, real_name: `User ${user}`, is_owner: user === 0 },
    profile: { email: `user${user}@bench.invalid` },
  }));
  const members = users.map(({ id }) => id);
  yield ['users.json', JSON.stringify(users)];
  yield [
    'channels.json',
    JSON.stringify(upTo(CHANNELS).map((channel) => ({ id: `C${channel}`, name: `channel-${channel}`, members }))),
  ];
  for (let first = 0; first < count; first += MESSAGES_PER_DAY) {
    const day = first / MESSAGES_PER_DAY;
    const messages = upTo(Math.min(MESSAGES_PER_DAY, count - first)).map((index) => messageAt(first + index));
    const byChannel = Map.groupBy(messages, ({ channel }) => channel);
    const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);
    for (const [channel, some] of byChannel)
      yield [`channel-${channel}/${date}.json`, JSON.stringify(some.map(({ message }) => message))];
  }
}

const BEGIN_SECONDS = Date.UTC(2020, 0, 1) / 1000;
/** Every thread has this many messages of its channel. */
const THREAD_LENGTH = 5;

function messageAt(index: number) {
  const channel = index % CHANNELS;
  const tsOf = (number: number) => `${BEGIN_SECONDS + number * 43}.${String(number % 1_000_000).padStart(6, '0')}`;
  const place = Math.floor(index / CHANNELS);
  const root = index - (place % THREAD_LENGTH) * CHANNELS;
  const words = upTo(12).map((word) => wordOf(1 + ((index * 31 + word * word * 7) % 5000)));
  const message = {
    type: 'message',
    user: `U${(index * 7) % USERS}`,
    ts: tsOf(index),
    thread_ts: tsOf(root),
    ...(root === index && { reply_count: THREAD_LENGTH - 1 }),
    text: `*${words[0]}* ${words.slice(1).join(' ')}${index % 4 === 0 ? ` <@U${index % USERS}>` : ''} &amp; <https://example.com/${index}|link>`,
    ...(index % 5 === 0 && { reactions: [{ name: 'heart', users: [`U${index % USERS}`, `U${(index + 1) % USERS}`] }] }),
    ...(index % 20 === 0 && { edited: { ts: tsOf(index + 1) } }),
  };
  return { channel, message };
}
