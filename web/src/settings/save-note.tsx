import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { CheckIcon } from '../design/icons.ts';
import type { Action } from './saving.ts';
import styles from './settings.module.css';

interface SaveNoteProps {
  readonly action: Action;
  /** What a success means. The usual text is `Saved`. */
  readonly doneText?: string;
}

/** Says below a control that it was saved, or why not. */
export function SaveNote({ action, doneText = t('Saved') }: SaveNoteProps): ReactNode {
  return (
    <div className={styles.note} role="status">
      {action.isDone && (
        <span className={styles.saved}>
          <CheckIcon aria-hidden="true" />
          {doneText}
        </span>
      )}
      {action.problem !== undefined && <span className={styles.problem}>{action.problem}</span>}
    </div>
  );
}
