import type { ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuItemProps as AriaMenuItemProps,
  MenuSection as AriaMenuSection,
  MenuTrigger,
  Separator,
} from 'react-aria-components/Menu';
import type { PopoverProps } from 'react-aria-components/Popover';
import { ariaKeysOf, type Shortcut } from '../base/keyboard.ts';
import { classes } from './classes.ts';
import { IconButton, type IconButtonProps } from './icon-button.tsx';
import { CheckIcon, type Icon, MoreIcon } from './icons.ts';
import { Kbd } from './kbd.tsx';
import styles from './menu.module.css';
import { Floating } from './popover.tsx';

export interface MenuButtonProps extends Pick<PopoverProps, 'placement'> {
  /** The name of the menu. */
  label: string;
  /** A `Button` or `IconButton`. */
  trigger: ReactNode;
  /** `MenuItem`, `MenuSection` and `MenuSeparator`. */
  children: ReactNode;
  onOpenChange?: (isOpen: boolean) => void;
}

/** A button that opens a menu. */
export function MenuButton({
  label,
  trigger,
  children,
  placement = 'bottom start',
  onOpenChange,
}: MenuButtonProps): ReactNode {
  return (
    <MenuTrigger {...(onOpenChange && { onOpenChange })}>
      {trigger}
      <Floating placement={placement}>
        <MenuList label={label}>{children}</MenuList>
      </Floating>
    </MenuTrigger>
  );
}

export interface MoreMenuProps extends Omit<MenuButtonProps, 'trigger'> {
  size?: IconButtonProps['size'];
  icon?: Icon;
}

/** The button with three dots that opens the menu of more actions. */
export function MoreMenu({
  label,
  size = 'medium',
  icon = MoreIcon,
  placement = 'bottom end',
  ...props
}: MoreMenuProps): ReactNode {
  const trigger = <IconButton icon={icon} label={label} size={size} />;
  return <MenuButton {...props} label={label} placement={placement} trigger={trigger} />;
}

interface MenuListProps {
  label: string;
  children: ReactNode;
  /** Hears that the user chose an item. A trigger closes its menu without it. */
  onClose?: () => void;
  /** Takes the focus when it appears. A trigger gives the focus to its menu without it. */
  autoFocus?: boolean;
}

/** The list inside of a menu, for components of this folder. */
export function MenuList({ label, children, onClose, autoFocus }: MenuListProps): ReactNode {
  return (
    <AriaMenu
      aria-label={label}
      className={styles.menu ?? ''}
      {...(onClose && { onClose })}
      {...(autoFocus !== undefined && { autoFocus })}
    >
      {children}
    </AriaMenu>
  );
}

export interface MenuItemProps
  extends Pick<AriaMenuItemProps, 'id' | 'href' | 'target' | 'onAction' | 'isDisabled' | 'shouldCloseOnSelect'> {
  /** The text. */
  children: string;
  icon?: Icon;
  /** A second line, for example why the item is disabled. */
  detail?: string;
  shortcut?: Shortcut;
  /** Whether the action destroys something. */
  isDanger?: boolean;
}

/** An action of a menu, or a choice in a `MenuSection` with `selectionMode`. */
export function MenuItem({ children, icon: Icon, detail, shortcut, isDanger, ...props }: MenuItemProps): ReactNode {
  return (
    <AriaMenuItem
      {...props}
      textValue={children}
      className={classes(styles.item, isDanger && styles.danger)}
      {...(shortcut && { 'aria-keyshortcuts': ariaKeysOf(shortcut) })}
    >
      {({ isSelected, selectionMode }) => (
        <>
          {Icon && <Icon aria-hidden="true" />}
          <span className={styles.texts}>
            <span>{children}</span>
            {detail && <span className={styles.detail}>{detail}</span>}
          </span>
          {shortcut && <Kbd keys={shortcut.keys[0]} isHint />}
          {selectionMode !== 'none' && (
            <CheckIcon aria-hidden="true" className={isSelected ? styles.check : styles.unchecked} />
          )}
        </>
      )}
    </AriaMenuItem>
  );
}

export interface MenuSectionProps {
  /** The heading of the items. */
  heading: string;
  children: ReactNode;
  /** Makes the items choices, with a check mark. Each then needs an `id`. */
  selectionMode?: 'single' | 'multiple';
  selectedKeys?: Iterable<string>;
  onSelectionChange?: (keys: ReadonlySet<string>) => void;
}

/** Items with a heading. */
export function MenuSection({ heading, children, onSelectionChange, ...props }: MenuSectionProps): ReactNode {
  return (
    <AriaMenuSection
      {...props}
      disallowEmptySelection={props.selectionMode === 'single'}
      onSelectionChange={(keys) => keys !== 'all' && onSelectionChange?.(new Set([...keys].map(String)))}
    >
      <Header className={styles.heading ?? ''}>{heading}</Header>
      {children}
    </AriaMenuSection>
  );
}

/** A line between items. */
export function MenuSeparator(): ReactNode {
  return <Separator className={styles.separator ?? ''} />;
}
