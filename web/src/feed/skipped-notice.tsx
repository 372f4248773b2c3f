import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { ArrowUpIcon, CloseIcon } from '../design/icons.ts';
import { problemText } from '../shown/problem-text.ts';
import { feedShortcuts } from './selection.ts';
import styles from './skipped-notice.module.css';
import { unreadAgain } from './unread-again.ts';

interface SkippedNoticeProps {
  /** The messages that count as read because the user has reached the end, in ascending order. */
  readonly ids: readonly number[];
  /** Whether the user has gone back. */
  readonly isBack: boolean;
  readonly goBack: () => void;
  readonly onClose: () => void;
}

/** Says how many messages above count as read without having been on the screen. It leads to the first, and can take that back. */
export default function SkippedNotice({ ids, isBack, goBack, onClose }: SkippedNoticeProps): ReactNode {
  const app = useApp();
  const [isPending, setPending] = useState(false);
  const undo = async (): Promise<void> => {
    setPending(true);
    try {
      await unreadAgain(app, ids);
      onClose();
    } catch (error) {
      const text = t('Not everything could be marked as unread. {problem}', { problem: problemText(error) });
      toasts.show({ text, kind: 'error', key: 'mark unread' });
      setPending(false);
    }
  };
  return (
    <div role="status" className={styles.notice}>
      {isBack ? (
        <span className={styles.text}>
          {t('{count, plural, one {# message counts as read} other {# messages count as read}}', { count: ids.length })}
        </span>
      ) : (
        <Button size="small" kind="quiet" icon={ArrowUpIcon} shortcut={feedShortcuts.skipped} onPress={goBack}>
          {t('{count} unread above', { count: ids.length })}
        </Button>
      )}
      <Button size="small" kind="quiet" isPending={isPending} onPress={() => void undo()}>
        {t('Keep unread')}
      </Button>
      <IconButton icon={CloseIcon} label={t('Dismiss')} size="small" hasTooltip={false} onPress={onClose} />
    </div>
  );
}
