import { canonicalNarrow, keyOfNarrow, narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import type { App } from '../base/app.tsx';

/** Whether the server cannot be reached. */
export function isInterrupted({ session }: App): boolean {
  return session.status.state === 'reconnecting' || session.status.state === 'offline';
}

/** The key of a conversation in the archive. */
export function keyOfConversation(place: Place, ownId: number): string {
  return keyOfNarrow(canonicalNarrow(narrowOfPlace(place, ownId), ownId));
}

export function channelOf(place: Place): number | null {
  return place.kind === 'topic' ? place.channelId : null;
}
