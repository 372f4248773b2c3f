import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import type { Icon } from './icons.ts';

export interface EmptyStateProps {
  icon?: Icon;
  /** What there is not, or what happened. */
  title: string;
  /** What to do. */
  children?: ReactNode;
  /** A `Button`. */
  action?: ReactNode;
}

/** A view without content: the first start, no results, no access. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.empty} data-no-list>
      {Icon && <Icon aria-hidden="true" className={styles.icon} />}
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
