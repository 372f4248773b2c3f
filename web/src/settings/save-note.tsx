import type { ReactNode } from 'react';
import { CheckIcon } from '../design/icons.ts';
import { t } from '../shell/i18n.ts';
import type { Action } from './saving.ts';
import styles from './settings.module.css';

/** Says below a control that it was saved, or why not. */
export function SaveNote({ action }: { readonly action: Action }): ReactNode {
  return (
    <div className={styles.note} role="status">
      {action.isDone && (
        <span className={styles.saved}>
          <CheckIcon aria-hidden="true" />
          {t('Saved')}
        </span>
      )}
      {action.problem !== undefined && <span className={styles.problem}>{action.problem}</span>}
    </div>
  );
}
