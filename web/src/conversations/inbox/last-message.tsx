import type { DirectPlace } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect } from 'react';
import { useModel } from '../../base/app.tsx';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { useUsers } from '../../shown/user-mark.tsx';
import { directWindow, lastDirect, lastOf, seekLastDirect } from '../last-direct.ts';
import { lastText } from '../last-text.ts';

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
  return record === undefined ? null : <span className={className}>{lastText(model, lastOf(record))}</span>;
}
