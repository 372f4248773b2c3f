import type { StatusEmoji } from '@heddle/client/model/statuses.ts';
import type { ReactNode } from 'react';
import { useModel } from '../shell/app.tsx';
import styles from './status.module.css';

/** An emoji of a status, without a name for screen readers. */
export function EmojiSign({ emoji: { name, code, type } }: { readonly emoji: StatusEmoji }): ReactNode {
  const model = useModel();
  if (type === 'unicode_emoji') {
    const points = code.split('-').map((part) => Number.parseInt(part, 16));
    return (
      <span className={styles.sign} aria-hidden="true">
        {String.fromCodePoint(...points)}
      </span>
    );
  }
  const url = model.emoji.get(code)?.stillUrl ?? model.emoji.get(code)?.url ?? undefined;
  return url === undefined ? `:${name}:` : <img className={styles.sign} src={url} alt="" />;
}
