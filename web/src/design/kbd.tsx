import type { ReactNode } from 'react';
import { capsOf } from '../shell/keyboard.ts';
import styles from './kbd.module.css';

/** Keys as key caps. `keys` has the form of shortcuts: `Mod+K`. */
export function Kbd({ keys }: { keys: string }): ReactNode {
  return (
    <span className={styles.keys}>
      {capsOf(keys).map((cap) => (
        <kbd key={cap} className={styles.cap}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
