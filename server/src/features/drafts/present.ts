import type { draft as wireDraft } from '@heddle/api/objects/draft.ts';
import type { Static } from 'typebox';
import { shownTopic } from '../../domain/texts/shared/topic-names.ts';
import type { Draft } from './queries.ts';

/** The wire format, for its writer. A draft without recipients has no address, whatever its type was. */
export function presentDraft(draft: Draft, knowsEmptyTopic: boolean): Static<typeof wireDraft> {
  const { id, channelId, recipients, topic, content, editedAt: timestamp } = draft;
  if (channelId !== null) {
    return { id, type: 'stream', to: [channelId], topic: shownTopic(topic, knowsEmptyTopic), content, timestamp };
  }
  return { id, type: recipients.length > 0 ? 'private' : '', to: [...recipients], topic: '', content, timestamp };
}
