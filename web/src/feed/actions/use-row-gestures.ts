import { type FocusEvent, type MouseEvent, type PointerEvent, useState } from 'react';
import { type MenuGestures, useMenuGestures } from '../../actions/use-menu-gestures.ts';

/** Elements with a context menu of their own that people need: links, media, fields. */
const OWN_MENU = 'a, img, video, audio, input, textarea, select';

export interface RowGestures {
  /** Whether the pointer or the focus is in the row. */
  readonly isNear: boolean;
  readonly props: MenuGestures & {
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocusCapture: () => void;
    readonly onBlurCapture: (event: FocusEvent) => void;
  };
}

/** What opens the actions of a message: hover and focus show the bar; a right click or a long touch opens the menu. */
export function useRowGestures(messageId: number): RowGestures {
  const [isHovered, setHovered] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const menu = useMenuGestures({ kind: 'message', messageId }, OWN_MENU);
  return {
    isNear: isHovered || hasFocus,
    props: {
      ...menu,
      onContextMenu(event: MouseEvent) {
        // With a selection, people want to copy it.
        if (window.getSelection()?.isCollapsed !== false) menu.onContextMenu(event);
      },
      onPointerEnter: ({ pointerType }) => setHovered(pointerType !== 'touch'),
      onPointerLeave: () => setHovered(false),
      onFocusCapture: () => setFocus(true),
      onBlurCapture: ({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget)),
    },
  };
}
