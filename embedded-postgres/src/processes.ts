import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a process with this id exists, also of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * A token for the start of a process, which distinguishes it from a later process with the same id. On Linux it consists of the boot id and
 * the clock ticks, elsewhere it is the output of `ps`. Null if there is no such process. A zombie does not count.
 */
export function startOf(pid: number): string | null {
  if (process.platform === 'linux') {
    const start = linuxStart(pid);
    if (start === null) return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${start}`;
  }
  try {
    const start = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return start === '' ? null : start;
  } catch {
    return null;
  }
}

/** The start of a process, unless it is a zombie. The fields follow the command name, which can contain any text in parentheses. */
function linuxStart(pid: number): string | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || state === 'Z' || state === 'X' || start === undefined ? null : start;
}

/**
 * The processes `postgres` and `initdb` of a directory: the postmaster, and backends that outlived theirs.
 *
 * On Linux this compares working directories and program names, so an old `postmaster.pid`, a reused process id or an operator's shell
 * do not matter. Elsewhere it finds only the postmaster, by `postmaster.pid` and its command line.
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
      if (cwd.dev === wanted.dev && cwd.ino === wanted.ino && linuxStart(pid) !== null) found.push(pid);
    } catch {
      // The process has ended, or belongs to another user, who cannot enter the directory.
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

/** The process id in `postmaster.pid`, or null if there is no such file. The process may have ended. */
export function postmasterPid(clusterDirectory: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(`${clusterDirectory}/postmaster.pid`, 'utf8'), 10);
    return Number.isNaN(pid) ? null : Math.abs(pid);
  } catch {
    return null;
  }
}

/** Sends a signal. It is no error if the process has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Checks a condition every 20 ms, for at most `milliseconds`. Resolves with whether it became true. */
export async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await delay(20);
  }
  return true;
}
