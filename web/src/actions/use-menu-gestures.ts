import { type MouseEvent, type TouchEvent, useRef } from 'react';
import { type MenuTarget, menuStore } from './menu-store.ts';

/** iOS has no event for a long touch. */
const LONG_TOUCH_MS = 500;

export interface MenuGestures {
  readonly onContextMenu: (event: MouseEvent) => void;
  readonly onTouchStart: (event: TouchEvent) => void;
  readonly onTouchMove: () => void;
  readonly onTouchEnd: () => void;
}

/**
 * The properties of an element whose menu opens by a right click, the menu key, or a long touch.
 * @param keepsOwn elements inside whose own menu or touch people need, as a selector
 */
export function useMenuGestures(subject: MenuTarget | undefined, keepsOwn = 'textarea, input'): MenuGestures {
  const touch = useRef<ReturnType<typeof setTimeout>>(undefined);
  const endTouch = () => clearTimeout(touch.current);
  const openSheet = () => {
    endTouch();
    if (menuStore.opened === undefined && subject !== undefined) menuStore.set({ subject, at: 'sheet' });
  };
  return {
    onContextMenu(event) {
      if (subject === undefined) return;
      const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
      const target = event.target as Element;
      const own = target.closest(isTouch ? 'textarea, input' : keepsOwn);
      if (own !== null && own !== event.currentTarget) return;
      event.preventDefault();
      if (isTouch) {
        openSheet();
        return;
      }
      const box = event.currentTarget.getBoundingClientRect();
      // The menu key has no position, so the menu opens at the element.
      const isPointer = event.clientX !== 0 || event.clientY !== 0;
      const at = isPointer ? { x: event.clientX, y: event.clientY } : { x: box.left + 16, y: box.bottom };
      menuStore.set({ subject, at });
    },
    onTouchStart({ touches, target }) {
      endTouch();
      if (touches.length !== 1 || (target as Element).closest('textarea, input') !== null) return;
      touch.current = setTimeout(openSheet, LONG_TOUCH_MS);
    },
    onTouchMove: endTouch,
    onTouchEnd: endTouch,
  };
}
