import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { useChangesOf } from '../base/use-changes.ts';
import { StatusEmojiMark } from '../shown/status-mark.tsx';
import styles from './people.module.css';

/** The status of a user: emoji and text. Nothing if there is none. */
export function StatusText({ userId }: { readonly userId: number }): ReactNode {
  const model = useModel();
  useChangesOf(model.statuses.changesOf, userId);
  const status = model.statuses.of(userId);
  if (status === undefined) return null;
  return (
    <p className={styles.status}>
      <StatusEmojiMark userId={userId} />
      {status.text === '' ? status.emoji && `:${status.emoji.name}:` : <span dir="auto">{status.text}</span>}
    </p>
  );
}
