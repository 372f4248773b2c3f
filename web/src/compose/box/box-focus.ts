import type { RefObject } from 'react';

/**
 * Whether shortcuts of boxes are for this one: the focus is in it, or in none and it is the box of the view. An edit is a box
 * in a message.
 */
export function isOwnFocus({ current }: RefObject<Element | null>): boolean {
  const scopeOf = (element: Element | null): Element | null =>
    element?.closest('[data-keyboard-scope="compose"]') ?? null;
  const focused = scopeOf(document.activeElement);
  if (focused !== null) return focused === scopeOf(current);
  return current?.closest('[data-message-id]') === null;
}
