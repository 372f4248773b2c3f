import { storedTopic } from '../../texts/shared/topic-names.ts';

/** Only its name shows that a topic is resolved (interface document, "States and transitions"). */
const MARK = '✔';

export function isResolved(topic: string): boolean {
  return topic.startsWith(`${MARK} `);
}

export function resolvedName(topic: string): string {
  return `${MARK} ${topic}`;
}

/** The topic without the mark, even if it has the mark twice. */
export function bareTopic(topic: string): string {
  return topic.replace(/^[✔ ]+/u, '');
}

/** Whether it is the empty topic with the mark, which is not allowed. */
export function isNothingResolved(topic: string): boolean {
  return topic === MARK || (isResolved(topic) && storedTopic(bareTopic(topic)) === '');
}
