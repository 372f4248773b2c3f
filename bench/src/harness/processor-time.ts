import { readFile } from 'node:fs/promises';
import { descendants } from './programs.ts';

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

/** The same of a server, and of the database below it. */
export async function processorTimes(pid: number): Promise<{ readonly server: number; readonly database: number }> {
  const below = await descendants(pid);
  const times = await Promise.all(below.map((one) => processorTime(one.pid).catch(() => 0)));
  return { server: await processorTime(pid), database: times.reduce((sum, time) => sum + time, 0) };
}
