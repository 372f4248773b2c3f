import { type FocusEvent, useLayoutEffect, useRef } from 'react';

/**
 * A removed row takes the focus with it. `restore` then gives it to the row that took its place.
 * @returns the handlers of the list
 */
export function useFocusOfRemoved(restore: () => void): { onFocus: () => void; onBlur: (event: FocusEvent) => void } {
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) restore();
  });
  return {
    onFocus() {
      hasFocus.current = true;
    },
    onBlur({ relatedTarget }) {
      // A window that loses the focus gives it back to the same row. Otherwise the user left the list.
      if (relatedTarget !== null || document.hasFocus()) hasFocus.current = false;
    },
  };
}
