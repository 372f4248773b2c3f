import type { MouseEvent, ReactNode } from 'react';
import type { MenuTarget } from '../../actions/menu-store.ts';
import { useMenuGestures } from '../../actions/use-menu-gestures.ts';
import type { Route } from '../../base/routes.ts';
import { classes } from '../../design/classes.ts';
import { ChevronRightIcon } from '../../design/icons.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import styles from './sidebar.module.css';

export interface SidebarLinkProps {
  to: Route;
  isCurrent: boolean;
  isActive: boolean;
  /** How far the row is indented: 0, 1 or 2. */
  level?: 0 | 1 | 2;
  mark?: ReactNode;
  /** The name of the conversation or view. */
  children: ReactNode;
  /** Unread messages and other marks at the end. */
  marks?: ReactNode;
  hasUnread?: boolean;
  isMuted?: boolean;
  /** What its context menu is about. */
  menu?: MenuTarget;
  /** What a plain click does instead of following the link. */
  onClick?: (() => void) | undefined;
  /** Called with the element when the pointer comes. */
  onPointerEnter?: (row: HTMLElement) => void;
}

/** A row that leads to a conversation or view. */
export function SidebarLink(props: SidebarLinkProps): ReactNode {
  const { to, isCurrent, isActive, level = 0, mark, children, marks, hasUnread = false, isMuted = false, menu } = props;
  const gestures = useMenuGestures(menu);
  const state = classes(styles.link, styles[`level${level}`], hasUnread && styles.unread, isMuted && styles.muted);
  return (
    <RouteLink
      to={to}
      isCurrent={isCurrent}
      className={state}
      tabIndex={isActive ? 0 : -1}
      data-primary
      onClick={(event) => {
        if (props.onClick === undefined || !isPlain(event)) return;
        event.preventDefault();
        props.onClick();
      }}
      onPointerEnter={({ currentTarget }) => props.onPointerEnter?.(currentTarget)}
      {...gestures}
    >
      {mark !== undefined && <span className={styles.mark}>{mark}</span>}
      <span className={styles.name}>{children}</span>
      {marks}
    </RouteLink>
  );
}

/** Whether the click does not ask for a new tab or window. */
function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

export interface ToggleProps {
  isOpen: boolean;
  isActive: boolean;
  onToggle: () => void;
  children: ReactNode;
  marks?: ReactNode;
  className?: string | undefined;
}

/** A row that opens and closes what follows it. */
export function ToggleRow({ isOpen, isActive, onToggle, children, marks, className }: ToggleProps): ReactNode {
  return (
    <button
      type="button"
      className={classes(styles.toggle, className)}
      aria-expanded={isOpen}
      onClick={onToggle}
      tabIndex={isActive ? 0 : -1}
      data-primary
    >
      <ChevronRightIcon aria-hidden="true" className={styles.chevron} />
      <span className={styles.name}>{children}</span>
      {marks}
    </button>
  );
}
