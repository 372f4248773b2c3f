import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { useChangesOf } from '../base/use-changes.ts';
import styles from './marks.module.css';

/** The emoji of a person's status. The text is its tooltip. */
export function StatusEmojiMark({ userId }: { userId: number }): ReactNode {
  const model = useModel();
  useChangesOf(model.statuses.changesOf, userId);
  const status = model.statuses.of(userId);
  if (status?.emoji === undefined || status.emoji === null) return null;
  const { name, code, type } = status.emoji;
  const title = status.text === '' ? `:${name}:` : status.text;
  if (type === 'unicode_emoji') {
    return (
      <span className={styles.emoji} role="img" aria-label={title} title={title}>
        {String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)))}
      </span>
    );
  }
  const url = model.emoji.get(code)?.stillUrl ?? model.emoji.get(code)?.url;
  return url === undefined ? null : <img className={styles.emoji} src={url} alt={title} title={title} />;
}
