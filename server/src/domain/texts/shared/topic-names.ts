import { badRequest } from '@heddle/api/errors.ts';
import { EMPTY_TOPIC_DISPLAY_NAME, MAX_TOPIC_LENGTH } from '../../../access/limits.ts';
import { truncate } from './truncate.ts';

/** Older clients send this instead of the empty topic. */
const NO_TOPIC = '(no topic)';

/** The topic as it is stored. Names for the empty topic become the empty string (interface document, Conventions 7). */
export function storedTopic(topic: string): string {
  const trimmed = topic.trim();
  return trimmed === EMPTY_TOPIC_DISPLAY_NAME || trimmed === NO_TOPIC ? '' : trimmed;
}

/** The prefix of resolved topics (interface document, "States and transitions"). */
export const RESOLVED = '✔ ';

/** The topic for a client, which may not know the empty topic. */
export function shownTopic(topic: string, knowsEmptyTopic: boolean): string {
  return topic === '' && !knowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** @throws ApiError the topic has invalid characters */
export function checkedTopic(topic: string): string {
  const stored = storedTopic(topic);
  const position = [...stored].findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character));
  if (position >= 0) throw badRequest(`Invalid character in topic, at position ${position + 1}!`);
  return cutTopic(stored);
}

/** Cuts a topic to its longest length. */
export function cutTopic(topic: string): string {
  return truncate(topic, MAX_TOPIC_LENGTH, '...');
}
