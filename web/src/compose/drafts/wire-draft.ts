import type { WrittenDraft } from '@heddle/client/calls/types.ts';
import type { LocalDraft } from './draft-storage.ts';

/** A draft in the form of the API. */
export function wireDraft({ target, content, editedAt }: LocalDraft): WrittenDraft {
  const timestamp = Math.floor(editedAt / 1000);
  if (target.kind === 'channel')
    return { type: 'stream', to: [target.channelId], topic: target.topic, content, timestamp };
  if (target.kind === 'direct') return { type: 'private', to: [...target.userIds], topic: '', content, timestamp };
  return { type: '', to: [], topic: '', content, timestamp };
}
