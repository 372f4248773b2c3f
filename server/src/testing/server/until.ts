import { setTimeout as delay } from 'node:timers/promises';

/** The pause between two checks. Checks in every turn of the event loop would take CPU time from the awaited work. */
const PAUSE_MS = 2;

/** Resolves when the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(PAUSE_MS);
}
