import { EMPTY_TOPIC_DISPLAY_NAME } from '../../access/limits.ts';

export { EMPTY_TOPIC_DISPLAY_NAME, MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../../access/limits.ts';

/** Older clients send this for it. */
const NO_TOPIC = '(no topic)';

/** The topic as it is stored: what stands for the empty topic becomes the empty string (interface document, Conventions 7). */
export function storedTopic(topic: string): string {
  const trimmed = topic.trim();
  return trimmed === EMPTY_TOPIC_DISPLAY_NAME || trimmed === NO_TOPIC ? '' : trimmed;
}

/** The topic as a client reads it that may or may not know the empty one. */
export function shownTopic(topic: string, knowsEmptyTopic: boolean): string {
  return topic === '' && !knowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** Cuts a text to a number of characters, the mark that says so included. */
export function truncate(text: string, length: number, mark: string): string {
  // A text with no more UTF-16 units than allowed characters is short enough, whatever they are.
  if (text.length <= length) return text;
  const characters = [...text];
  if (characters.length <= length) return text;
  return characters.slice(0, length - [...mark].length).join('') + mark;
}
