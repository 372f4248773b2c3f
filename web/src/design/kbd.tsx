import type { ReactNode } from 'react';
import { capsOf } from '../base/keyboard.ts';
import { classes } from './classes.ts';
import styles from './kbd.module.css';

interface KbdProps {
  /** In the form of shortcuts: `Mod+K`. */
  readonly keys: string;
  /** Beside something that can also be chosen. A touch screen without a mouse does not show it. */
  readonly isHint?: boolean;
}

/** Keys as key caps. */
export function Kbd({ keys, isHint = false }: KbdProps): ReactNode {
  return (
    <span className={classes(styles.keys, isHint && styles.hint)}>
      {capsOf(keys).map((cap) => (
        <kbd key={cap} className={styles.cap}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
