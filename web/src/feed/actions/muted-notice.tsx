import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { t } from '../../shell/i18n.ts';
import styles from './muted-notice.module.css';
import { revealed } from './muted-senders.ts';

/** Stands for a message whose sender the user has muted. */
export function MutedNotice({ messageId }: { readonly messageId: number }): ReactNode {
  return (
    <p className={styles.notice}>
      {t('You muted the sender of this message.')}
      <Button kind="quiet" size="small" onPress={() => revealed.show(messageId)}>
        {t('Show it')}
      </Button>
    </p>
  );
}
