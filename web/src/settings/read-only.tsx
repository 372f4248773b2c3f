/** What a user sees who may only read a setting: its value as text, and once who can change it. */
import { createContext, type ReactNode, use } from 'react';
import { PermissionIcon } from '../design/icons.ts';
import styles from './settings.module.css';

/** Whether a sentence above says who can change what is inside. */
const IsExplained = createContext(false);

interface ReadOnlyProps {
  /** Who can change the settings inside. Undefined if the user can change some of them. */
  readonly reason: string | undefined;
  readonly children: ReactNode;
}

/** Settings of which the user can change none. */
export function ReadOnly({ reason, children }: ReadOnlyProps): ReactNode {
  return (
    <IsExplained value={reason !== undefined}>
      {reason !== undefined && (
        <p className={styles.readOnly}>
          <PermissionIcon aria-hidden="true" className={styles.icon} />
          {reason}
        </p>
      )}
      {children}
    </IsExplained>
  );
}

interface ReadOnlyValueProps {
  readonly label: string;
  readonly description?: string | undefined;
  /** Why the user may not change it. */
  readonly refusal: string;
  /** The value in words. */
  readonly children: ReactNode;
}

/** A setting that the user may only read. */
export function ReadOnlyValue({ label, description, refusal, children }: ReadOnlyValueProps): ReactNode {
  const isExplained = use(IsExplained);
  const notes = [description, isExplained ? undefined : refusal].filter((text) => text !== undefined);
  return (
    <dl className={styles.reading}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {notes.length > 0 && <dd className={styles.quiet}>{notes.join(' ')}</dd>}
    </dl>
  );
}

/** Why the user may not change something that is shown as it is. Nothing if a sentence above says it. */
export function Refusal({ text }: { readonly text: string }): ReactNode {
  return use(IsExplained) ? null : <span className={styles.quiet}>{text}</span>;
}
