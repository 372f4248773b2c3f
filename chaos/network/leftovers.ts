/** Removes what runs leave: processes, namespaces, mounts and directories. A run calls it at its end, and for killed runs at its begin. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { signalProcess, until } from '@heddle/embedded-postgres/processes.ts';
import { ip, RUN_PREFIX } from './network.ts';

/** Not TMPDIR, because the path of a socket has at most 107 bytes. */
const RUNS = '/tmp';

const END_TIMEOUT_MS = 10_000;

/** The name of the run of this process. Its files are in a directory of that name. */
export const RUN_NAME = `${RUN_PREFIX}${process.pid}`;

export const directoryOf = (run: string): string => join(RUNS, run);

/** Removes everything of runs whose process is gone. */
export async function removeAbandoned(): Promise<void> {
  const names = [...namespaces(), ...readdirSync(RUNS)];
  const runs = names.flatMap((name) => new RegExp(`^${RUN_PREFIX}\\d+`).exec(name)?.[0] ?? []);
  for (const run of new Set(runs)) if (!isRunning(run)) await removeRun(run);
}

/** Removes everything of a run. */
export async function removeRun(run: string): Promise<void> {
  const own = namespaces().filter((name) => name.startsWith(`${run}-`));
  const processes = () => own.flatMap((name) => ip('netns', 'pids', name).split('\n').filter(Boolean).map(Number));
  await until(() => {
    for (const pid of processes()) signalProcess(pid, 'SIGKILL');
    return processes().length === 0;
  }, END_TIMEOUT_MS);
  for (const name of own) ip('netns', 'del', name);
  for (const mountPoint of mountPoints())
    if (mountPoint.startsWith(`${directoryOf(run)}/`)) execFileSync('umount', ['--lazy', mountPoint]);
  rmSync(directoryOf(run), { recursive: true, force: true, maxRetries: 3 });
}

function namespaces(): readonly string[] {
  return ip('netns', 'list')
    .split('\n')
    .flatMap((line) => line.split(' ')[0] || []);
}

/** Another program may have got the process id of a run that was killed. */
function isRunning(run: string): boolean {
  try {
    return readFileSync(`/proc/${run.slice(RUN_PREFIX.length)}/cmdline`, 'utf8').includes('chaos');
  } catch {
    return false;
  }
}

function mountPoints(): readonly string[] {
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? []);
}
