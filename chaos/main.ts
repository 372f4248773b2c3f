/**
 * `npm run chaos`: makes the network, runs the run in the namespace of the clients, and removes everything afterwards. This process does nothing
 * else, so it can also clean up after a run that fails or is interrupted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { directoryOf, RUN_NAME, removeAbandoned, removeRun } from './network/leftovers.ts';
import { CLIENTS, Network } from './network/network.ts';
import { chaosOptions, USAGE } from './options.ts';
import { HOSTS } from './processes/cluster.ts';
import { whatIsMissing } from './requirements.ts';

const USAGE_EXIT_CODE = 2;

async function main(args: readonly string[]): Promise<number> {
  const options = chaosOptions(args);
  const missing = whatIsMissing();
  if (options === undefined || missing !== undefined) {
    process.stderr.write(`${options === undefined ? USAGE : missing}\n`);
    return USAGE_EXIT_CODE;
  }
  let child: ReturnType<typeof spawn> | undefined;
  let isInterrupted = false;
  // Ctrl-C ends the run. The cleanup of this process follows.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      isInterrupted = true;
      child?.kill('SIGKILL');
    });
  await removeAbandoned();
  try {
    const network = new Network(RUN_NAME, HOSTS);
    network.create();
    const directory = directoryOf(RUN_NAME);
    mkdirSync(directory);
    if (isInterrupted) return 1;
    const [command = '', ...rest] = network.commandAt(CLIENTS);
    const program = [process.execPath, ...process.execArgv, join(import.meta.dirname, 'run.ts')];
    const settings = JSON.stringify({ ...options, run: RUN_NAME, directory });
    child = spawn(command, [...rest, ...program, settings], {
      stdio: 'inherit',
      env: { ...process.env, TMPDIR: directory },
    });
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    await removeRun(RUN_NAME);
  }
}

process.exitCode = await main(process.argv.slice(2));
