import { type FocusEvent, type MouseEvent, type PointerEvent, type TouchEvent, useRef, useState } from 'react';
import { menuStore } from './menu-store.ts';

/** iOS has no event for a long touch. */
const LONG_TOUCH_MS = 500;

/** Elements with a context menu of their own that people need: links, media, fields. */
const OWN_MENU = 'a, img, video, audio, input, textarea, select';

export interface RowGestures {
  /** Whether the pointer or the focus is in the row. */
  readonly isNear: boolean;
  readonly props: {
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocusCapture: () => void;
    readonly onBlurCapture: (event: FocusEvent) => void;
    readonly onContextMenu: (event: MouseEvent) => void;
    readonly onTouchStart: (event: TouchEvent) => void;
    readonly onTouchMove: () => void;
    readonly onTouchEnd: () => void;
  };
}

/** What opens the actions of a message: hover and focus show the bar; a right click or a long touch opens the menu. */
export function useRowGestures(messageId: number): RowGestures {
  const [isHovered, setHovered] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const touch = useRef<ReturnType<typeof setTimeout>>(undefined);
  const endTouch = () => clearTimeout(touch.current);
  const openSheet = () => {
    endTouch();
    if (menuStore.opened === undefined) menuStore.set({ messageId, at: 'sheet' });
  };
  return {
    isNear: isHovered || hasFocus,
    props: {
      onPointerEnter: ({ pointerType }) => setHovered(pointerType !== 'touch'),
      onPointerLeave: () => setHovered(false),
      onFocusCapture: () => setFocus(true),
      onBlurCapture: ({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget)),
      onContextMenu(event) {
        const isTouch = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch';
        const target = event.target as Element;
        const hasSelection = window.getSelection()?.isCollapsed === false;
        if (!isTouch && (hasSelection || target.closest(OWN_MENU) !== null)) return;
        if (isTouch && target.closest('textarea, input') !== null) return;
        event.preventDefault();
        if (isTouch) {
          openSheet();
          return;
        }
        const box = event.currentTarget.getBoundingClientRect();
        // The menu key has no position, so the menu opens at the message.
        const isPointer = event.clientX !== 0 || event.clientY !== 0;
        const at = isPointer ? { x: event.clientX, y: event.clientY } : { x: box.left + 16, y: box.bottom };
        menuStore.set({ messageId, at });
      },
      onTouchStart({ touches, target }) {
        endTouch();
        if (touches.length !== 1 || (target as Element).closest('textarea, input, button') !== null) return;
        touch.current = setTimeout(openSheet, LONG_TOUCH_MS);
      },
      onTouchMove: endTouch,
      onTouchEnd: endTouch,
    },
  };
}
