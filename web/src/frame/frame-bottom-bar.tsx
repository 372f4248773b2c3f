import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Link } from 'react-aria-components/Link';
import { t } from '../base/i18n.ts';
import { Count } from '../design/count.tsx';
import type { Icon } from '../design/icons.ts';
import styles from './frame.module.css';

export interface BottomBarItem {
  readonly key: string;
  readonly label: string;
  readonly icon: Icon;
  /** A link (a fragment of the address), or an action. */
  readonly href?: string;
  readonly onPress?: () => void;
  /** Whether this is the view that is open. */
  readonly isCurrent?: boolean;
  /** Unread messages, and their text for screen readers. */
  readonly unread?: { readonly value: number; readonly label: string; readonly isMention?: boolean };
}

/** The views of the app at the bottom of a phone. Five fit. */
export function BottomBar({ items }: { items: readonly BottomBarItem[] }): ReactNode {
  return (
    <nav className={styles.bar} aria-label={t('Views')}>
      {items.map(({ key, label, icon: Icon, href, onPress, isCurrent = false, unread }) => {
        const content = (
          <>
            <span className={styles.barIcon}>
              <Icon aria-hidden="true" />
              {unread && (
                <Count value={unread.value} label={unread.label} kind={unread.isMention ? 'mention' : 'unread'} />
              )}
            </span>
            <span className={styles.barLabel}>{label}</span>
          </>
        );
        const common = { className: styles.barItem ?? '', 'data-current': isCurrent };
        return href === undefined ? (
          <Button key={key} {...common} {...(onPress && { onPress })} aria-pressed={isCurrent}>
            {content}
          </Button>
        ) : (
          <Link
            key={key}
            {...common}
            href={href}
            {...(onPress && { onPress })}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {content}
          </Link>
        );
      })}
    </nav>
  );
}
