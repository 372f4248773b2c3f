import type { ReactNode } from 'react';
import { Tooltip as AriaTooltip, type TooltipProps, TooltipTrigger } from 'react-aria-components/Tooltip';
import type { Shortcut } from '../base/keyboard.ts';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

interface Props extends Pick<TooltipProps, 'placement'> {
  /** The text of the tooltip. */
  text: ReactNode;
  shortcut?: Shortcut;
  isDisabled?: boolean;
  /** A button or another element that can have the focus. */
  children: ReactNode;
}

const DELAY_MS = 500;
const CLOSE_DELAY_MS = 50;

/** Explains its child on hover and focus, with the keys that do the same. Touch shows no tooltips, so it holds nothing essential. */
export function Tooltip({ text, shortcut, placement = 'top', isDisabled = false, children }: Props): ReactNode {
  return (
    <TooltipTrigger delay={DELAY_MS} closeDelay={CLOSE_DELAY_MS} isDisabled={isDisabled}>
      {children}
      <AriaTooltip placement={placement} offset={6} className={styles.tooltip}>
        <span>{text}</span>
        {shortcut && <Kbd keys={shortcut.keys[0]} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
