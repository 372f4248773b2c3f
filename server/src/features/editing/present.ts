import type { messageSnapshot } from '@heddle/api/objects/message-edit.ts';
import type { Static } from 'typebox';
import { htmlDifferences } from '../../markup/index.ts';
import { presentEdit } from '../messages/present.ts';
import { shownTopic } from '../topic-names.ts';
import type { Snapshot } from './queries.ts';

export { messageUpdateBody } from './body.ts';
export { mentionedNow } from './readers.ts';

/** A message as it was (public reference: "Get a message's edit history"). Comparing long texts takes milliseconds. */
export function presentSnapshot(
  { userId, at, content, topic, edit }: Snapshot,
  knowsEmptyTopic: boolean,
): Static<typeof messageSnapshot> {
  return {
    ...(edit !== null && presentEdit(edit, knowsEmptyTopic)),
    user_id: userId,
    timestamp: at,
    topic: shownTopic(topic, knowsEmptyTopic),
    content: content.text,
    rendered_content: content.html,
    ...(edit?.content && { content_html_diff: htmlDifferences(edit.content.html, content.html) }),
  };
}
