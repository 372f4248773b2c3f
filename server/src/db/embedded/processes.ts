import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a process with this id exists. A process of another user counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * When a process began, as a token that no other process ever shares together with its id: the boot's id and the start in
 * clock ticks on Linux, what `ps` reports elsewhere. Null when there is no such process (a zombie is none). Comparing it
 * tells a process from a later one that was given the same id.
 */
export function startOf(pid: number): string | null {
  if (process.platform === 'linux') {
    const stat = linuxStat(pid);
    if (stat === null) return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${stat.start}`;
  }
  try {
    const start = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return start === '' ? null : start;
  } catch {
    return null;
  }
}

/** State, parent and start of a process, from the fields behind the parenthesized command name, which may hold anything. */
function linuxStat(pid: number): { start: string } | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  if (state === undefined || state === 'Z' || state === 'X' || start === undefined) return null;
  return { start };
}

/**
 * PostgreSQL's processes (`postgres`, `initdb`) that work in a directory: the postmaster, and backends that outlived theirs.
 *
 * On Linux they are found by their working directory, so neither a stale postmaster.pid nor a reused process id misleads,
 * and an operator's shell that stands in the directory is not taken for one. Elsewhere only the postmaster is found, by
 * postmaster.pid and its command line.
 */
export function postgresProcessesIn(directory: string): number[] {
  if (process.platform !== 'linux') return postmasterByPidFile(directory);
  const wanted = statSync(directory, { throwIfNoEntry: false });
  if (wanted === undefined) return [];
  const found: number[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      if (command !== 'postgres' && command !== 'initdb') continue;
      const cwd = statSync(`/proc/${pid}/cwd`);
      if (cwd.dev === wanted.dev && cwd.ino === wanted.ino && linuxStat(pid) !== null) found.push(pid);
    } catch {
      // Gone meanwhile, or another user's: the latter cannot be using a directory that only its owner may enter.
    }
  }
  return found;
}

function postmasterByPidFile(directory: string): number[] {
  const pid = postmasterPid(directory);
  if (pid === null || !isAlive(pid)) return [];
  try {
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('postgres') && command.includes(directory) ? [pid] : [];
  } catch {
    return [];
  }
}

/** The process id in a cluster's postmaster.pid; null when there is no such file. The process may be long dead. */
export function postmasterPid(clusterDirectory: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(`${clusterDirectory}/postmaster.pid`, 'utf8'), 10);
    return Number.isNaN(pid) ? null : Math.abs(pid);
  } catch {
    return null;
  }
}

/** Sends a signal; a process that is gone already is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Waits until a condition holds, looking every 20 ms, for at most `milliseconds`. Answers whether it came to hold. */
export async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await delay(20);
  }
  return true;
}
