/** A run in the namespace of the clients: starts the cluster, causes faults while clients work, and checks the history. `main.ts` starts it. */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '@heddle/server/testing/random/random.ts';
import { startClients } from './clients/all-clients.ts';
import { causeFaults } from './faults/schedule.ts';
import { Recorder } from './history/recorder.ts';
import { Network } from './network/network.ts';
import type { Options } from './options.ts';
import { Cluster, HEARTBEAT_SECONDS, HOSTS } from './processes/cluster.ts';
import { quietRequests } from './properties/liveness.ts';
import { checkAll } from './properties/properties.ts';
import { describeVerdicts, summaryOf } from './report.ts';
import { watchStalls } from './stalls.ts';
import { MAX_FAULT_MS } from './waiting.ts';

interface Settings extends Options {
  readonly run: string;
  readonly directory: string;
}

/** Faults of a short run are short, so that it has many. */
const SHORT_RUN_MINUTES = 5;
const MAX_SHORT_FAULT_MS = 6_000;

/** Two seconds, and what a busy machine adds. */
const REQUEST_LIMIT_MS = 3_000;
const RECOVERY_LIMIT_MS = 2_000;

const RESULTS = join(import.meta.dirname, '..', 'node_modules', '.cache', 'heddle', 'chaos');

async function run({ minutes, seed, run: name, directory }: Settings): Promise<boolean> {
  say(`seed ${seed}, ${minutes} minutes`);
  const recorder = new Recorder();
  const cluster = new Cluster(new Network(name, HOSTS), directory);
  try {
    await cluster.start();
    const clients = await startClients(cluster, recorder, new Random(seed));
    say('the cluster and the clients run');
    const stopWatching = watchStalls(recorder);
    const scene = {
      ...{ cluster, recorder, random: new Random(seed) },
      maxFaultMs: minutes < SHORT_RUN_MINUTES ? MAX_SHORT_FAULT_MS : MAX_FAULT_MS,
    };
    await causeFaults(scene, recorder.now() + minutes * 60_000, say);
    // Everything must work at the end, too.
    await delay(2 * RECOVERY_LIMIT_MS);
    await clients.finish();
    stopWatching();
  } finally {
    saveLogs(cluster, seed, directory);
    save(seed, 'history.jsonl', recorder.history.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
  const { history } = recorder;
  const limits = {
    requestMs: REQUEST_LIMIT_MS,
    pollMs: HEARTBEAT_SECONDS * 1_000 + REQUEST_LIMIT_MS,
    recoveryMs: RECOVERY_LIMIT_MS,
  };
  const verdicts = checkAll(history, limits);
  const crashes = cluster.nodes.filter((node) => node.crashes > 0);
  process.stdout.write(`\n${summaryOf(history)}\n\n${describeVerdicts(history, verdicts)}\n`);
  for (const node of crashes)
    process.stdout.write(`BROKEN  the process ${node.name} ended by itself ${node.crashes} times\n`);
  process.stdout.write(`${quietRequests(history, limits).length} requests were in quiet times\n`);
  process.stdout.write(`seed ${seed}; the history and the logs are in ${join(RESULTS, String(seed))}\n`);
  return crashes.length === 0 && verdicts.every(({ count }) => count === 0);
}

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

function save(seed: number, file: string, text: string): void {
  mkdirSync(join(RESULTS, String(seed)), { recursive: true });
  writeFileSync(join(RESULTS, String(seed), file), text);
}

function saveLogs(cluster: Cluster, seed: number, directory: string): void {
  rmSync(join(RESULTS, String(seed)), { recursive: true, force: true });
  for (const node of cluster.nodes) save(seed, `${node.name}.log`, node.log());
  for (const { name } of cluster.databases.hosts) {
    const log = join(directory, name, 'postgres.log');
    if (existsSync(log)) copyFileSync(log, join(RESULTS, String(seed), `${name}.log`));
  }
}

const [, , settings = ''] = process.argv;
process.exit((await run(JSON.parse(settings))) ? 0 : 1);
