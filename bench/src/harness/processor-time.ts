import { readFile } from 'node:fs/promises';
import { descendants } from './programs.ts';

/** The length of a kernel clock tick (a hundredth of a second), in microseconds. */
const TICK = 10_000;

/** The user and system time of a process in microseconds, from `/proc` (Linux only). */
export async function processorTime(pid: number): Promise<number> {
  const [user = 0, system = 0] = await timesOf(pid);
  return (user + system) * TICK;
}

/** The same, with the times of its child processes that have ended. */
export async function processorTimeWithEnded(pid: number): Promise<number> {
  return (await timesOf(pid)).reduce((sum, time) => sum + time, 0) * TICK;
}

/** User and system time of a process, and of its children that have ended, in ticks. */
async function timesOf(pid: number): Promise<readonly number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program is in parentheses and can contain any character. The times are the 12th to 15th fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const times = fields.slice(11, 15).map(Number);
  if (times.length < 4 || !times.every(Number.isFinite)) throw new Error(`there are no times of process ${pid}`);
  return times;
}

/** The same of a server, and of the database below it. */
export async function processorTimes(pid: number): Promise<{ readonly server: number; readonly database: number }> {
  const below = await descendants(pid);
  const times = await Promise.all(below.map((one) => processorTime(one.pid).catch(() => 0)));
  return { server: await processorTime(pid), database: times.reduce((sum, time) => sum + time, 0) };
}
