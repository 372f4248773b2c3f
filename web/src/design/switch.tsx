import type { ReactNode } from 'react';
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components/Switch';
import styles from './choice.module.css';

export interface SwitchProps extends Omit<AriaSwitchProps, 'children' | 'className' | 'style'> {
  children: ReactNode;
  /** A hint below the text. */
  description?: ReactNode;
}

/** A setting that takes effect at once. */
export function Switch({ children, description, ...props }: SwitchProps): ReactNode {
  return (
    <AriaSwitch {...props} className={`${styles.choice} ${styles.switch}`}>
      <span className={styles.texts}>
        <span>{children}</span>
        {description !== undefined && <span className={styles.description}>{description}</span>}
      </span>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.thumb} />
      </span>
    </AriaSwitch>
  );
}
