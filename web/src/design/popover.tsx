import { type ReactNode, use } from 'react';
import { DialogTrigger, OverlayTriggerStateContext } from 'react-aria-components/Dialog';
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover';
import { useClosesWithView } from '../base/overlay-history.ts';
import { classes } from './classes.ts';
import styles from './popover.module.css';

export interface FloatingProps extends Omit<AriaPopoverProps, 'className' | 'style'> {
  className?: string | undefined;
}

/** The surface of everything that floats beside its trigger, for components of this folder. */
export function Floating({ className, ...props }: FloatingProps): ReactNode {
  const trigger = use(OverlayTriggerStateContext);
  const { isOpen = trigger?.isOpen ?? false } = props;
  useClosesWithView(isOpen, () => (props.isOpen === undefined ? trigger?.close() : props.onOpenChange?.(false)));
  return <AriaPopover offset={4} containerPadding={8} {...props} className={classes(styles.floating, className)} />;
}

export interface PopoverProps extends Pick<AriaPopoverProps, 'placement' | 'isOpen' | 'onOpenChange' | 'triggerRef'> {
  /** The name of the popover. */
  label: string;
  /** The button that opens it. Leave it out if `isOpen` and `triggerRef` do. */
  trigger?: ReactNode;
  /** The content. A function gets `close`. */
  children: ReactNode | ((close: () => void) => ReactNode);
  /** Leaves out the space around the content. */
  isFlush?: boolean;
}

/** Content beside its trigger, such as a card or a picker. Escape and a click outside close it, and the focus returns. */
export function Popover({
  label,
  trigger,
  children,
  isFlush,
  isOpen,
  onOpenChange,
  ...props
}: PopoverProps): ReactNode {
  const open = { ...(isOpen !== undefined && { isOpen }), ...(onOpenChange && { onOpenChange }) };
  const floating = (
    <Floating {...props} {...(trigger === undefined && open)} aria-label={label}>
      <Content className={classes(!isFlush && styles.padded)} onClose={() => onOpenChange?.(false)}>
        {children}
      </Content>
    </Floating>
  );
  if (trigger === undefined) return floating;
  return (
    <DialogTrigger {...open}>
      {trigger}
      {floating}
    </DialogTrigger>
  );
}

interface ContentProps {
  className: string;
  /** Closes a popover without a trigger. */
  onClose: () => void;
  children: PopoverProps['children'];
}

function Content({ className, onClose, children }: ContentProps): ReactNode {
  const state = use(OverlayTriggerStateContext);
  const close = () => (state === null ? onClose() : state.close());
  return <div className={className}>{typeof children === 'function' ? children(close) : children}</div>;
}
