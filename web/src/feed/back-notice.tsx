import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { CloseIcon, UndoIcon } from '../design/icons.ts';
import feedStyles from './feed.module.css';
import { feedShortcuts } from './selection.ts';
import styles from './skipped-notice.module.css';

interface BackNoticeProps {
  readonly goBack: () => void;
  readonly onClose: () => void;
}

/** After a jump, leads back to where the user was. */
export default function BackNotice({ goBack, onClose }: BackNoticeProps): ReactNode {
  return (
    <div className={feedStyles.below}>
      <div role="status" className={styles.notice}>
        <Button size="small" kind="quiet" icon={UndoIcon} shortcut={feedShortcuts.back} onPress={goBack}>
          {t('Back to where I was')}
        </Button>
        <IconButton icon={CloseIcon} label={t('Dismiss')} size="small" hasTooltip={false} onPress={onClose} />
      </div>
    </div>
  );
}
