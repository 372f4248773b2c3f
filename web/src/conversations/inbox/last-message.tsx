import { type DirectPlace, keyOf } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect } from 'react';
import { useModel } from '../../base/app.tsx';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { useUsers } from '../../shown/user-mark.tsx';
import { LastWords } from '../last-words.tsx';

interface LastMessageProps {
  readonly place: DirectPlace;
  readonly className: string | undefined;
}

/** The last message of a direct conversation, with its sender. Nothing while it is not loaded. */
export default function LastMessage({ place, className }: LastMessageProps): ReactNode {
  const model = useModel();
  const { recent } = model.cache;
  useChangesOf(recent.changesOf, keyOf(place));
  const last = recent.of(place)?.last;
  useChanges(model.mutedUsers.changes);
  useUsers(last === undefined ? [] : [last.senderId]);
  useEffect(() => void recent.load(), [recent]);
  // Also after the only known message was deleted. A failure is not repeated until something else happens.
  const isUnknown = last === undefined;
  useEffect(() => {
    if (isUnknown) void recent.seek(place);
  }, [recent, place, isUnknown]);
  if (last === undefined) return null;
  return (
    <span className={className}>
      <LastWords place={place} last={last} />
    </span>
  );
}
