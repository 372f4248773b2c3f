import { type DirectPlace, keyOf } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect } from 'react';
import { useModel } from '../../base/app.tsx';
import { T } from '../../base/i18n-react.tsx';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { VisuallyHidden } from '../../design/visually-hidden.tsx';
import { userName } from '../../shown/names.ts';
import { useUsers } from '../../shown/user-mark.tsx';
import { lastText, wordsOf } from '../last-text.ts';

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
  const isRepeated =
    place.userIds.length === 1 &&
    place.userIds[0] === last.senderId &&
    !last.isMe &&
    last.html !== undefined &&
    !model.mutedUsers.has(last.senderId);
  return (
    <span className={className}>
      {isRepeated ? (
        <OfTheOther name={userName(model, last.senderId)} text={wordsOf(last.html)} />
      ) : (
        lastText(model, last)
      )}
    </span>
  );
}

/** The row has the name of the sender already. There is more room for the text then. */
function OfTheOther({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  const parts = { sender: <VisuallyHidden>{null}</VisuallyHidden> };
  return <T text="<sender>{name}: </sender>{text}" values={{ name, text }} parts={parts} />;
}
