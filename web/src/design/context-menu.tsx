import { type ReactNode, type RefObject, useRef } from 'react';
import styles from './context-menu.module.css';
import { MenuList } from './menu.tsx';
import { Floating } from './popover.tsx';

interface ContextMenuProps {
  label: string;
  /** Where the menu is, in pixels of the viewport. */
  at: { readonly x: number; readonly y: number };
  /** The items. */
  children: ReactNode;
  onClose: () => void;
}

/** An open menu where the user clicked. */
export function ContextMenu({ label, at: { x, y }, children, onClose }: ContextMenuProps): ReactNode {
  const anchor = useRef<HTMLSpanElement>(null) as RefObject<HTMLSpanElement>;
  return (
    <>
      <span ref={anchor} className={styles.anchor} style={{ left: x, top: y }} />
      <Floating
        key={`${x} ${y}`}
        aria-label={label}
        triggerRef={anchor}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement="bottom start"
        offset={0}
        trigger="MenuTrigger"
      >
        {/* An action closes the menu, and the arrows move in it. Without a trigger of its own it has to be told. */}
        <MenuList label={label} onClose={onClose} autoFocus>
          {children}
        </MenuList>
      </Floating>
    </>
  );
}
