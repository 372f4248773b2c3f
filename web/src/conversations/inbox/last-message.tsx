import type { DirectPlace } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect } from 'react';
import { useModel } from '../../base/app.tsx';
import { T } from '../../base/i18n-react.tsx';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { VisuallyHidden } from '../../design/visually-hidden.tsx';
import { userName } from '../../shown/names.ts';
import { useUsers } from '../../shown/user-mark.tsx';
import { directWindow, lastDirect, lastOf, seekLastDirect } from '../last-direct.ts';
import { lastText, wordsOf } from '../last-text.ts';

interface LastMessageProps {
  readonly place: DirectPlace;
  readonly className: string | undefined;
}

/** The last message of a direct conversation, with its sender. Nothing while it is not loaded. */
export default function LastMessage({ place, className }: LastMessageProps): ReactNode {
  const model = useModel();
  const window = directWindow(model);
  useChanges(window.changes);
  const record = lastDirect(model, window, place);
  useChangesOf(model.cache.messages.changesOf, record?.id ?? 0);
  useChanges(model.mutedUsers.changes);
  useUsers(record === undefined ? [] : [record.senderId]);
  useEffect(() => void seekLastDirect(model, window, place));
  useEffect(() => window.refreshIfStale(), [window]);
  if (record === undefined) return null;
  const last = lastOf(record);
  const isRepeated =
    place.userIds.length === 1 &&
    place.userIds[0] === last.senderId &&
    !last.isMe &&
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
