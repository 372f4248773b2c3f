import type { ReactNode, RefAttributes } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ariaKeysOf, type Shortcut } from '../base/keyboard.ts';
import { classes } from './classes.ts';
import styles from './icon-button.module.css';
import type { Icon } from './icons.ts';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

interface Common {
  icon: Icon;
  /** The name of the button. Its tooltip shows it. */
  label: string;
  shortcut?: Shortcut;
  size?: 'small' | 'medium';
  placement?: 'top' | 'bottom' | 'left' | 'right';
  /** Leaves out the tooltip, for example if the label stands beside the button. */
  hasTooltip?: boolean;
}

export interface IconButtonProps
  extends Common,
    Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'aria-label'>,
    RefAttributes<HTMLButtonElement> {
  /** Shows the action that matters most. */
  isPrimary?: boolean;
}

/** A button with an icon. Its tooltip shows the label and the keys. */
export function IconButton({
  icon: Icon,
  label,
  shortcut,
  size = 'medium',
  placement,
  hasTooltip = true,
  isPrimary,
  ...props
}: IconButtonProps): ReactNode {
  return (
    <Tooltip text={label} isDisabled={!hasTooltip} {...(shortcut && { shortcut })} {...(placement && { placement })}>
      <AriaButton
        {...props}
        aria-label={label}
        className={classes(styles.button, size === 'small' && styles.small, isPrimary && styles.primary)}
        {...(shortcut && { 'aria-keyshortcuts': ariaKeysOf(shortcut) })}
      >
        {props.isPending ? <Spinner /> : <Icon aria-hidden="true" />}
      </AriaButton>
    </Tooltip>
  );
}

export interface IconToggleProps extends Common {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}

/** A button with an icon that is on or off, such as a star. */
export function IconToggle({
  icon: Icon,
  label,
  shortcut,
  size = 'medium',
  placement,
  hasTooltip = true,
  ...props
}: IconToggleProps): ReactNode {
  return (
    <Tooltip text={label} isDisabled={!hasTooltip} {...(shortcut && { shortcut })} {...(placement && { placement })}>
      <ToggleButton
        {...props}
        aria-label={label}
        className={classes(styles.button, size === 'small' && styles.small)}
        {...(shortcut && { 'aria-keyshortcuts': ariaKeysOf(shortcut) })}
      >
        <Icon aria-hidden="true" />
      </ToggleButton>
    </Tooltip>
  );
}
