import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { writeZip } from '@heddle/operator/testing/imported.ts';
import { serveEnvironment } from '../harness/heddle-server.ts';
import { residentBytes } from '../harness/memory.ts';
import { type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch, scratchDirectory } from '../harness/scratch.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';
import { CHANNELS, type Entries, mattermostEntries, slackEntries, zulipEntries } from './import-archives.ts';

const JUDGED = 100_000;
const GOAL_SECONDS = 60;
/** How often the memory of the process is read, in milliseconds. */
const MEMORY_INTERVAL_MS = 100;

/** Imports the archive of another program into an empty database. */
const importOf = (program: string, entries: (count: number) => Entries): Benchmark => ({
  name: `import-${program}`,
  about: `heddle import ${program}, from the start of the command to its end; size: messages in ${CHANNELS} channels`,
  run: (settings) =>
    inTurn(sizesOf(settings, [10_000, JUDGED], [1000]), (size) => measureSize({ program, entries }, size, settings)),
});

export const importSlack = importOf('slack', slackEntries);
export const importMattermost = importOf('mattermost', mattermostEntries);
export const importZulip = importOf('zulip', zulipEntries);

interface Format {
  /** The name of the format in the command. */
  readonly program: string;
  readonly entries: (count: number) => Entries;
}

async function measureSize({ program, entries }: Format, count: number, settings: Settings): Promise<Row> {
  settings.progress(`import-${program}: ${count} messages`);
  const directory = await scratchDirectory('archive');
  const runs: Run[] = [];
  const peaks: number[] = [];
  try {
    const archive = join(directory, `${program}.zip`);
    await writeZip(archive, entries(count));
    for (let turn = 0; turn < settings.repeats; turn++) {
      const dataDirectory = await scratchDirectory('data');
      // The time that PostgreSQL needs to create its cluster is not part of the import.
      await run(['migrate'], dataDirectory);
      const begun = performance.now();
      const { output, peak } = await run(['import', program, archive, '--subdomain', '', '--json'], dataDirectory);
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
    name: `import-${program}`,
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
  const child = spawn('scripts/node', ['operator/src/main.ts', ...args], {
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
