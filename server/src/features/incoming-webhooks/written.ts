/** A message that a person writes in another service: its topic, and its text as Markdown. */
import type { Rendered } from './integration.ts';
import { cut, withFormatting } from './markdown.ts';
import type { Payload } from './payload.ts';

/** As much as a message can show. */
const MAX_TEXT_LENGTH = 10_000;

/** @throws ApiError `BAD_REQUEST`: it lacks the topic or the text */
export function writtenMessage(payload: Payload): Rendered {
  // Bodies for older versions have `subject`.
  const topic = payload.firstText('topic', 'subject') || payload.need('topic');
  const content = payload.need('content').trim();
  return { event: 'message', topic: cut(topic, 200), content: withFormatting(cut(content, MAX_TEXT_LENGTH)) };
}
