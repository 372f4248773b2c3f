import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components/Checkbox';
import styles from './choice.module.css';

export interface CheckboxProps extends Omit<AriaCheckboxProps, 'children' | 'className' | 'style'> {
  children: ReactNode;
  /** A hint below the text. */
  description?: ReactNode;
}

/** A choice that takes effect with its form. For one that takes effect at once, use `Switch`. */
export function Checkbox({ children, description, ...props }: CheckboxProps): ReactNode {
  return (
    <AriaCheckbox {...props} className={styles.choice ?? ''}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles.box} aria-hidden="true">
            <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
              {isIndeterminate ? <path d="M4 8h8" /> : isSelected && <path d="m3.5 8.5 3 3 6-7" />}
            </svg>
          </span>
          <span className={styles.texts}>
            <span>{children}</span>
            {description !== undefined && <span className={styles.description}>{description}</span>}
          </span>
        </>
      )}
    </AriaCheckbox>
  );
}
