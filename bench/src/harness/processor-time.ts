import { readFile } from 'node:fs/promises';

/** The length of a kernel clock tick (a hundredth of a second), in microseconds. */
const TICK = 10_000;

/** The user and system time of a process in microseconds, from `/proc` (Linux only). */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program is in parentheses and can contain any character. User and system time are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  if (!Number.isFinite(user + system)) throw new Error(`there are no times of process ${pid}`);
  return (user + system) * TICK;
}
