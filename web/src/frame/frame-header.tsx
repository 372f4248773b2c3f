import { type ReactNode, use } from 'react';
import { AppContext } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { IconButton } from '../design/icon-button.tsx';
import { BackIcon, LeftColumnIcon, RightColumnIcon } from '../design/icons.ts';
import styles from './frame.module.css';
import { useFrame } from './frame-context.ts';
import { frameShortcuts } from './frame-shortcuts.ts';
import type { Side } from './frame-state.ts';

export interface ColumnHeaderProps {
  title: ReactNode;
  /** A second line. */
  subtitle?: ReactNode;
  /** What stands before the title, for example an icon. */
  leading?: ReactNode;
  /** Buttons at the end. */
  actions?: ReactNode;
  /** The column in which the header is. Side columns get a button that closes them. */
  column: 'main' | Side;
  /** Whether the main header has a button that opens the right column. */
  hasDetails?: boolean;
  /** `leading` has a way back. Otherwise a phone gets one, except in the views of its bar. */
  hasOwnBack?: boolean;
}

/** The header of a column, with the buttons that open and close columns. */
export function ColumnHeader({
  title,
  subtitle,
  leading,
  actions,
  column,
  hasDetails = false,
  hasOwnBack = false,
}: ColumnHeaderProps): ReactNode {
  const frame = useFrame();
  const navigation = use(AppContext)?.navigation;
  const isMain = column === 'main';
  const canGoBack = isMain && !hasOwnBack && frame.layout === 'phone' && navigation?.isAtRoot === false;
  const isCovering = !isMain && !frame.isDocked(column);
  const canOpenLeft = isMain && !frame.isOpen('left') && frame.layout !== 'phone';
  // A column that covers the feed leaves the button in its place, so that the focus can return to it.
  const canOpenRight = isMain && hasDetails && !(frame.isOpen('right') && frame.isDocked('right'));
  return (
    <header className={styles.header}>
      {(isCovering || canGoBack) && (
        <IconButton
          icon={BackIcon}
          label={t('Back')}
          onPress={() => (isCovering ? frame.close(column) : navigation?.goBack())}
          placement="bottom"
        />
      )}
      {canOpenLeft && (
        <IconButton
          icon={LeftColumnIcon}
          data-opens="left"
          label={t('Show conversations')}
          shortcut={frameShortcuts.toggleLeft}
          onPress={() => frame.open('left')}
          placement="bottom"
        />
      )}
      {leading}
      <div className={styles.titles}>
        <h1 className={styles.title}>{title}</h1>
        {subtitle && <div className={styles.subtitle}>{subtitle}</div>}
      </div>
      {actions}
      {canOpenRight && (
        <IconButton
          icon={RightColumnIcon}
          data-opens="right"
          label={t('Show details')}
          shortcut={frameShortcuts.toggleRight}
          onPress={() => frame.open('right')}
          placement="bottom"
        />
      )}
      {!isMain && !isCovering && (
        <IconButton
          icon={column === 'left' ? LeftColumnIcon : RightColumnIcon}
          label={column === 'left' ? t('Hide conversations') : t('Hide details')}
          shortcut={column === 'left' ? frameShortcuts.toggleLeft : frameShortcuts.toggleRight}
          onPress={() => frame.close(column)}
          placement="bottom"
        />
      )}
    </header>
  );
}
