import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import { conditionsOf, type Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { useEffect, useMemo, useRef } from 'react';
import { useApp } from '../../base/app.tsx';
import { useChanges } from '../../base/use-changes.ts';
import type { LightboxTarget, MediaItem } from '../lightbox-target.ts';
import { mediaOf } from '../media.ts';
import { messageFragment } from '../message-html.ts';

/** A picture or film with the message that contains it. */
export interface ShownMedia extends MediaItem {
  readonly messageId: number | undefined;
}

/** The pictures and films of a conversation, in their order. */
export interface ConversationMedia {
  readonly media: readonly ShownMedia[];
  /** Whether these are all. */
  readonly isComplete: boolean;
  readonly loadOlder: () => void;
  readonly loadNewer: () => void;
}

/**
 * What the loaded messages of the open narrow contain, and the pictures of all others, which it loads page by page. Without a narrow, or for a
 * message that is not in it, only the message of the target counts.
 */
export function useConversationMedia(target: LightboxTarget): ConversationMedia {
  const { model, navigation } = useApp();
  const known = useRef(new Map<number, readonly ShownMedia[]>());
  const windows = useMemo(() => {
    const narrow = navigation.route.view === 'narrow' ? navigation.route.narrow : undefined;
    const loaded = narrow === undefined ? undefined : model.cache.windows.of(narrow);
    const { messageId } = target;
    if (loaded === undefined || messageId === undefined || !loaded.ids.includes(messageId)) return undefined;
    return { loaded, pictures: model.cache.windows.of(picturesOf(loaded.narrow)), messageId };
  }, [model, navigation, target]);
  const { pictures } = windows ?? {};
  useChanges(pictures?.changes ?? NEVER);
  useEffect(() => {
    if (windows !== undefined) void windows.pictures.open(windows.messageId);
  }, [windows]);
  const ids = pictures?.state === 'ready' ? pictures.ids : NONE;
  const media = useMemo(
    () => mediaOfMessages(model, windows?.loaded, ids, target, known.current),
    [model, windows, ids, target],
  );
  return {
    media,
    isComplete: pictures === undefined || (pictures.foundOldest && pictures.foundNewest),
    loadOlder: () => void pictures?.loadOlder(),
    loadNewer: () => void pictures?.loadNewer(),
  };
}

const NEVER = { subscribe: () => () => undefined, read: () => 0 };
const NONE: readonly number[] = [];

function picturesOf(narrow: Narrow): Narrow {
  return [...conditionsOf(narrow), { operator: 'has', operand: 'image' }];
}

function mediaOfMessages(
  model: Model,
  loaded: MessageWindow | undefined,
  others: readonly number[],
  target: LightboxTarget,
  known: Map<number, readonly ShownMedia[]>,
): readonly ShownMedia[] {
  const own = target.media.map((item) => ({ ...item, messageId: target.messageId }));
  if (loaded === undefined || target.messageId === undefined) return own;
  // The user still looks at a message that was deleted or moved meanwhile.
  const ids = [...new Set([...loaded.ids, ...others, target.messageId])].sort((a, b) => a - b);
  return ids.flatMap((id) => {
    if (id === target.messageId) return own;
    // Muted people's pictures stay hidden.
    if (isMuted(model, id)) return [];
    const found = known.get(id) ?? mediaOfContent(model.cache.messages.get(id)?.content ?? '', id);
    known.set(id, found);
    return found;
  });
}

function mediaOfContent(content: string, messageId: number): readonly ShownMedia[] {
  if (!content.includes('message_inline_image') && !content.includes('"/user_uploads/')) return [];
  return mediaOf(messageFragment(content)).map((item) => ({ ...item, messageId }));
}

function isMuted(model: Model, messageId: number): boolean {
  const senderId = model.cache.messages.get(messageId)?.senderId;
  return senderId !== undefined && model.mutedUsers.has(senderId);
}
