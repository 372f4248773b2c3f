import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import styles from './spinner.module.css';

interface SpinnerProps {
  /** What is going on, for screen readers. `Loading` if missing; an empty text hides the spinner from them. */
  label?: string;
}

/** Shows that something takes time. It appears after 200 ms, so that fast work does not flicker. */
export function Spinner({ label = t('Loading') }: SpinnerProps): ReactNode {
  if (label === '') return <span className={styles.spinner} aria-hidden="true" />;
  return <span className={styles.spinner} role="status" aria-label={label} />;
}
