import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import type { Virtualizer } from '@tanstack/react-virtual';
import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { Button } from '../design/button.tsx';
import { ArrowDownIcon } from '../design/icons.ts';
import styles from './feed.module.css';
import { feedShortcuts } from './selection.ts';

interface JumpToNewestProps {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>;
  readonly window: MessageWindow;
  readonly onPress: () => void;
}

/** How far from the end the button appears, in pixels. */
const FAR_PIXELS = 400;

/** Leads to the newest message while the user reads older ones. */
export function JumpToNewest({ virtualizer, window, onPress }: JumpToNewestProps): ReactNode {
  if (window.foundNewest && virtualizer.isAtEnd(FAR_PIXELS)) return null;
  return (
    <div className={styles.jump}>
      <Button icon={ArrowDownIcon} shortcut={feedShortcuts.last} onPress={onPress}>
        {t('Newest messages')}
      </Button>
    </div>
  );
}
