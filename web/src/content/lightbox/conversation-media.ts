import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { LightboxTarget, MediaItem } from '../lightbox-target.ts';
import { mediaOf } from '../media.ts';
import { messageFragment } from '../message-html.ts';

/** A picture or film with the message that contains it. */
export interface ShownMedia extends MediaItem {
  readonly messageId: number | undefined;
}

/**
 * All pictures and films of the loaded messages of a narrow, in their order.
 * @param narrow undefined if the view shows no narrow. Then only the message of the target counts
 */
export function conversationMedia(
  model: Model,
  narrow: Narrow | undefined,
  target: LightboxTarget,
): readonly ShownMedia[] {
  const own = target.media.map((item) => ({ ...item, messageId: target.messageId }));
  const ids = narrow === undefined ? [] : model.cache.windows.of(narrow).ids;
  if (target.messageId === undefined || !ids.includes(target.messageId)) return own;
  return ids.flatMap((id) => {
    if (id === target.messageId) return own;
    const content = model.cache.messages.get(id)?.content ?? '';
    // Muted people's pictures stay hidden.
    if (!content.includes('message_inline_image') || isMuted(model, id)) return [];
    return mediaOf(messageFragment(content)).map((item) => ({ ...item, messageId: id }));
  });
}

function isMuted(model: Model, messageId: number): boolean {
  const senderId = model.cache.messages.get(messageId)?.senderId;
  return senderId !== undefined && model.mutedUsers.has(senderId);
}
