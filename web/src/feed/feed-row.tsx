import { memo, type ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatDay } from '../base/i18n-formats.ts';
import { UnlessMuted } from '../people/muted-message.tsx';
import styles from './feed-row.module.css';
import { MessageRow } from './message-row.tsx';
import { OutgoingRow } from './outgoing-row.tsx';
import { PlaceBar } from './place-bar.tsx';
import type { Row } from './rows.ts';
import type { Selection } from './selection.ts';

interface FeedRowProps {
  readonly row: Row;
  readonly selection: Selection;
}

/** A row of a message list. */
export const FeedRow = memo(function FeedRow({ row, selection }: FeedRowProps): ReactNode {
  const model = useModel();
  switch (row.kind) {
    case 'date':
      return (
        <h2 className={styles.date}>
          <span>{formatDay(new Date(row.timestamp * 1000), new Date())}</span>
        </h2>
      );
    case 'unread-marker':
      return (
        // biome-ignore lint/a11y/useSemanticElements: `hr` cannot contain the text.
        <div className={styles.unread} role="separator" aria-label={t('New messages')}>
          <span>{t('New messages')}</span>
        </div>
      );
    case 'place':
      return <PlaceBar place={row.place} timestamp={row.timestamp} firstId={row.firstId} />;
    case 'message':
      return (
        <UnlessMuted id={row.id} isSelected={selection.id === row.id} onSelect={selection.select}>
          <MessageRow
            id={row.id}
            showsSender={row.showsSender}
            isSelected={selection.id === row.id}
            onSelect={selection.select}
          />
        </UnlessMuted>
      );
    case 'outgoing':
      return <OutgoingRow message={row.message} showsSender={row.showsSender} outbox={model.cache.outbox} />;
  }
});
