import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { Button } from '../design/button.tsx';
import styles from './muted.module.css';
import { mutedReveals } from './muted-reveals.ts';

interface Props {
  readonly id: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: number) => void;
  /** The message, which is shown if its sender is not muted. */
  readonly children: ReactNode;
}

/** Hides a message of a muted user until the reader asks for it. */
export function UnlessMuted({ id, isSelected, onSelect, children }: Props): ReactNode {
  const model = useModel();
  useChanges(model.mutedUsers.changes);
  useChangesOf(mutedReveals.changesOf, id);
  const record = model.cache.messages.get(id);
  if (record === undefined || !model.mutedUsers.has(record.senderId)) return children;
  const isShown = mutedReveals.has(id);
  if (isShown) {
    return (
      <>
        {children}
        <p className={styles.again}>
          <Button size="small" kind="quiet" onPress={() => mutedReveals.hide(id)}>
            {t('Hide the message of a muted person')}
          </Button>
        </p>
      </>
    );
  }
  return (
    <article
      className={styles.muted}
      aria-label={t('Message of a muted person')}
      data-message-id={id}
      tabIndex={isSelected ? 0 : -1}
      onFocus={() => onSelect(id)}
    >
      <span>{t('This message was hidden because you have muted its sender.')}</span>
      <Button size="small" kind="quiet" onPress={() => mutedReveals.reveal(id)}>
        {t('Show')}
      </Button>
    </article>
  );
}
