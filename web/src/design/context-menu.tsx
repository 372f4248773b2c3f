import { type MouseEvent, type ReactNode, type RefObject, type TouchEvent, useRef, useState } from 'react';
import styles from './context-menu.module.css';
import { MenuList } from './menu.tsx';
import { Floating } from './popover.tsx';

/** Where the menu is, in pixels of the viewport, and for what. */
interface Opened<Subject> {
  readonly subject: Subject;
  readonly x: number;
  readonly y: number;
}

export interface ContextMenuState<Subject> {
  readonly opened: Opened<Subject> | undefined;
  /** The properties of an element whose context menu is about `subject`: right click, the menu key, or a long touch. */
  propsOf(subject: Subject): {
    onContextMenu: (event: MouseEvent) => void;
    onTouchStart: (event: TouchEvent) => void;
    onTouchMove: () => void;
    onTouchEnd: () => void;
  };
  close(): void;
}

/** iOS has no event for a long touch. */
const LONG_TOUCH_MS = 500;

/** The context menu of many elements, such as the rows of a list. Render one `ContextMenu` for them. */
export function useContextMenu<Subject>(): ContextMenuState<Subject> {
  const [opened, setOpened] = useState<Opened<Subject>>();
  const touch = useRef<ReturnType<typeof setTimeout>>(undefined);
  const endTouch = () => clearTimeout(touch.current);
  return {
    opened,
    propsOf: (subject) => ({
      onContextMenu(event) {
        endTouch();
        event.preventDefault();
        const box = event.currentTarget.getBoundingClientRect();
        // The menu key has no position, so the menu opens at the element.
        const isPointer = event.clientX !== 0 || event.clientY !== 0;
        setOpened({ subject, x: isPointer ? event.clientX : box.left + 16, y: isPointer ? event.clientY : box.bottom });
      },
      onTouchStart({ touches }) {
        endTouch();
        const [first, second] = Array.from(touches);
        if (first === undefined || second !== undefined) return;
        const { clientX: x, clientY: y } = first;
        touch.current = setTimeout(() => setOpened({ subject, x, y }), LONG_TOUCH_MS);
      },
      onTouchMove: endTouch,
      onTouchEnd: endTouch,
    }),
    close: () => setOpened(undefined),
  };
}

interface ContextMenuProps<Subject> {
  menu: ContextMenuState<Subject>;
  label: string;
  /** The items for what was clicked. */
  children: (subject: Subject) => ReactNode;
}

/** Shows the menu where the user clicked. */
export function ContextMenu<Subject>({ menu, label, children }: ContextMenuProps<Subject>): ReactNode {
  const anchor = useRef<HTMLSpanElement>(null) as RefObject<HTMLSpanElement>;
  const { opened } = menu;
  if (opened === undefined) return null;
  return (
    <>
      <span ref={anchor} className={styles.anchor} style={{ left: opened.x, top: opened.y }} />
      <Floating
        key={`${opened.x} ${opened.y}`}
        aria-label={label}
        triggerRef={anchor}
        isOpen
        onOpenChange={(isOpen) => !isOpen && menu.close()}
        placement="bottom start"
        offset={0}
        trigger="MenuTrigger"
      >
        {/* An action closes the menu, and the arrows move in it. Without a trigger of its own it has to be told. */}
        <MenuList label={label} onClose={menu.close} autoFocus>
          {children(opened.subject)}
        </MenuList>
      </Floating>
    </>
  );
}
