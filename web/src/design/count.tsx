import type { ReactNode } from 'react';
import { formatNumber } from '../base/i18n-formats.ts';
import { classes } from './classes.ts';
import styles from './count.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface CountProps {
  value: number;
  /** What is counted, for screen readers: `12 unread messages`. */
  label: string;
  /** `mention` is the one that asks for attention. `muted` is for what the user muted. */
  kind?: 'unread' | 'mention' | 'muted';
}

const MAX_SHOWN_COUNT = 999;

/** A number at the end of a row. Nothing if it is 0. */
export function Count({ value, label, kind = 'unread' }: CountProps): ReactNode {
  if (value <= 0) return null;
  return (
    <span className={classes(styles.count, styles[kind])}>
      <span aria-hidden="true">
        {value > MAX_SHOWN_COUNT ? `${formatNumber(MAX_SHOWN_COUNT)}+` : formatNumber(value)}
      </span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
