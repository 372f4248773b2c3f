import type { messageSnapshot } from '@heddle/api/objects/message-edit.ts';
import type { Static } from 'typebox';
import { htmlDifferences } from '../../../markup/index.ts';
import { presentEdit } from '../../messages/messages/present.ts';
import { shownTopic } from '../../texts/shared/topic-names.ts';
import type { Snapshot } from './queries.ts';

/**
 * One version of a message (public reference: "Get a message's edit history"). Comparing long texts takes milliseconds.
 */
export function presentSnapshot(
  { userId, at, content, topic, edit }: Snapshot,
  knowsEmptyTopic: boolean,
): Static<typeof messageSnapshot> {
  return {
    ...(edit !== null && presentEdit(edit, knowsEmptyTopic)),
    user_id: userId,
    timestamp: at,
    topic: topic === null ? '' : shownTopic(topic, knowsEmptyTopic),
    content: content.text,
    rendered_content: content.html,
    ...(edit?.content && { content_html_diff: htmlDifferences(edit.content.html, content.html) }),
  };
}
