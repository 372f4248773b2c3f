import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import styles from './banner.module.css';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import { CloseIcon, ErrorIcon, type Icon, InfoIcon, ResolvedIcon, WarningIcon } from './icons.ts';

export type BannerKind = 'info' | 'warning' | 'error' | 'success';

const ICONS: Readonly<Record<BannerKind, Icon>> = {
  info: InfoIcon,
  warning: WarningIcon,
  error: ErrorIcon,
  success: ResolvedIcon,
};

export interface BannerProps {
  kind?: BannerKind;
  /** What happened and what to do. */
  children: ReactNode;
  /** A small button or a link. */
  action?: ReactNode;
  onDismiss?: () => void;
  /** Fills the width of a column, without corners: the state of the connection. */
  isBar?: boolean;
}

/** A notice inside of a view. Screen readers read errors at once, and other notices when they have time. */
export function Banner({ kind = 'info', children, action, onDismiss, isBar }: BannerProps): ReactNode {
  const Icon = ICONS[kind];
  return (
    <div
      className={classes(styles.banner, styles[kind], isBar && styles.bar)}
      role={kind === 'error' ? 'alert' : 'status'}
    >
      <Icon aria-hidden="true" />
      <div className={styles.text}>{children}</div>
      {action}
      {onDismiss && (
        <IconButton icon={CloseIcon} label={t('Dismiss')} size="small" onPress={onDismiss} hasTooltip={false} />
      )}
    </div>
  );
}
