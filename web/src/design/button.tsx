import type { ReactNode, RefAttributes } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { t } from '../base/i18n.ts';
import { ariaKeysOf, type Shortcut } from '../base/keyboard.ts';
import styles from './button.module.css';
import { classes } from './classes.ts';
import type { Icon } from './icons.ts';
import { Spinner } from './spinner.tsx';

/** `primary`: the one action that matters most. `secondary`: other actions. `quiet`: without a border. `danger`: it destroys. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

export interface ButtonProps
  extends Omit<AriaButtonProps, 'children' | 'className' | 'style'>,
    RefAttributes<HTMLButtonElement> {
  children: ReactNode;
  kind?: ButtonKind;
  size?: 'small' | 'medium';
  icon?: Icon;
  /** Fills the width of its container. */
  isWide?: boolean;
  shortcut?: Shortcut;
}

/** A button with a text. While `isPending` it keeps its width and focus, and ignores presses. */
export function Button({
  children,
  kind = 'secondary',
  size = 'medium',
  icon: Icon,
  isWide,
  shortcut,
  ...props
}: ButtonProps): ReactNode {
  const className = classes(styles.button, styles[kind], size === 'small' && styles.small, isWide && styles.wide);
  return (
    <AriaButton {...props} className={className} {...(shortcut && { 'aria-keyshortcuts': ariaKeysOf(shortcut) })}>
      <span className={styles.content}>
        {Icon && <Icon aria-hidden="true" />}
        <span className={styles.text}>{children}</span>
      </span>
      {props.isPending && (
        <span className={styles.pending}>
          <Spinner label={t('Please wait')} />
        </span>
      )}
    </AriaButton>
  );
}
