import { storedTopic } from '../topic-names.ts';

/** Resolved topics are told by their names alone (interface document, "States and transitions"). */
const MARK = '✔';

export function isResolved(topic: string): boolean {
  return topic.startsWith(`${MARK} `);
}

export function resolvedName(topic: string): string {
  return `${MARK} ${topic}`;
}

/** Without the mark, also where it was set twice. */
export function bareTopic(topic: string): string {
  return topic.replace(/^[✔ ]+/u, '');
}

/** Whether it is the empty topic with the mark, which cannot be. */
export function isNothingResolved(topic: string): boolean {
  return topic === MARK || (isResolved(topic) && storedTopic(bareTopic(topic)) === '');
}
