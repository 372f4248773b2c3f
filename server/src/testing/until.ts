import { setTimeout as delay } from 'node:timers/promises';

/** Between two looks: looking in every turn of the event loop would take the processor from what is waited for. */
const PAUSE_MS = 2;

/** Resolves when the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(PAUSE_MS);
}
