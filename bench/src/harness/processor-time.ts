import { readFile } from 'node:fs/promises';

/** The kernel tells times to user space in ticks of a hundredth of a second, in microseconds. */
const TICK = 10_000;

/** User and system time that a process has spent so far, in microseconds, from `/proc`: Linux only. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The program's name is in parentheses and may hold anything; user and system time are the 12th and 13th fields behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  if (!Number.isFinite(user + system)) throw new Error(`no times of process ${pid}`);
  return (user + system) * TICK;
}
