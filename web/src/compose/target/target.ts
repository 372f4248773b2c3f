/** Where the text of the compose box goes, as far as the user has chosen it. */

import { directPlace, keyOf, type Place, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { DraftTarget } from '@heddle/client/model/own/drafts.ts';

export type ComposeTarget =
  | { readonly kind: 'topic'; readonly channelId: number | undefined; readonly topic: string }
  /** With the own id for messages to oneself. Empty: nobody is chosen. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] };

/** The conversation, or undefined if the choice is not complete. */
export function placeOfTarget(target: ComposeTarget, ownId: number): Place | undefined {
  if (target.kind === 'direct') return target.userIds.length === 0 ? undefined : directPlace(target.userIds, ownId);
  return target.channelId === undefined ? undefined : topicPlace(target.channelId, target.topic.trim());
}

export function targetOfPlace(place: Place, ownId: number): ComposeTarget {
  if (place.kind === 'topic') return place;
  return { kind: 'direct', userIds: place.userIds.length === 0 ? [ownId] : place.userIds };
}

/** Equal for targets that are equal. */
export function keyOfTarget(target: ComposeTarget, ownId: number): string {
  const place = placeOfTarget(target, ownId);
  return place === undefined ? 'none' : keyOf(place);
}

export function draftTargetOf(target: ComposeTarget): DraftTarget {
  if (target.kind === 'direct') {
    return target.userIds.length === 0 ? { kind: 'none' } : { kind: 'direct', userIds: target.userIds };
  }
  const { channelId, topic } = target;
  return channelId === undefined ? { kind: 'none' } : { kind: 'channel', channelId, topic };
}

export function targetOfDraft(target: DraftTarget): ComposeTarget {
  if (target.kind === 'direct') return target;
  if (target.kind === 'channel') return { kind: 'topic', channelId: target.channelId, topic: target.topic };
  return { kind: 'topic', channelId: undefined, topic: '' };
}
