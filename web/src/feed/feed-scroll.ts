import type { MessageWindow } from '@heddle/client/model/message-window.ts';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef } from 'react';
import type { Navigation, ScrollPosition } from '../shell/navigation.ts';
import type { Row } from './rows.ts';

/** How close to an end of the loaded rows the user must be before more are loaded, in rows. */
const LOAD_AHEAD_ROWS = 25;

/** What stays visible above a row that the list scrolls to, in pixels. */
export const SCROLL_PADDING = 72;

type FeedVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;

/** Where a list opens. */
export type Target =
  | { readonly kind: 'end' }
  | { readonly kind: 'message'; readonly id: number }
  | { readonly kind: 'position'; readonly position: ScrollPosition };

/**
 * Chooses where the list opens: where the user was when they go back, else at the message of the link, else at the first
 * unread message, else at the end.
 */
export function targetOf(
  position: ScrollPosition | undefined,
  near: number | undefined,
  firstUnreadId: number | undefined,
): Target {
  if (position !== undefined) return { kind: 'position', position };
  if (near !== undefined) return { kind: 'message', id: near };
  return firstUnreadId === undefined ? { kind: 'end' } : { kind: 'message', id: firstUnreadId };
}

/** Scrolls to the target when the rows are there for the first time. */
export function useOpeningScroll(virtualizer: FeedVirtualizer, rows: readonly Row[], target: Target | undefined): void {
  const isDone = useRef(false);
  useLayoutEffect(() => {
    if (isDone.current || target === undefined || rows.length === 0) return;
    isDone.current = true;
    scrollTo(virtualizer, rows, target);
  }, [virtualizer, rows, target]);
}

/** The key of the row at which the list opens. Undefined for the end. */
export function keyOfTarget(target: Target): number | string | undefined {
  if (target.kind === 'end') return undefined;
  return target.kind === 'position' ? target.position.rowId : target.id;
}

export function scrollTo(virtualizer: FeedVirtualizer, rows: readonly Row[], target: Target): void {
  const key = keyOfTarget(target);
  const index = rows.findIndex((row) => row.key === key);
  if (index < 0) {
    virtualizer.scrollToEnd();
    return;
  }
  virtualizer.scrollToIndex(index, { align: 'start' });
  if (target.kind !== 'position') return;
  // The rows around the target have their real heights two frames later.
  const shift = target.position.offset + SCROLL_PADDING;
  requestAnimationFrame(() => requestAnimationFrame(() => virtualizer.scrollBy(shift)));
}

/** Loads more messages when the user comes near an end, and remembers the position for the history. */
export function useScrollWork(
  virtualizer: FeedVirtualizer,
  rows: readonly Row[],
  window: MessageWindow,
  navigation: Navigation,
): () => void {
  const latest = useRef(rows);
  latest.current = rows;
  return useCallback(() => {
    const items = virtualizer.getVirtualItems();
    const first = items[0];
    const last = items.at(-1);
    if (first === undefined || last === undefined) return;
    if (first.index < LOAD_AHEAD_ROWS) void window.loadOlder();
    if (last.index >= latest.current.length - LOAD_AHEAD_ROWS) void window.loadNewer();
    const offset = virtualizer.scrollOffset ?? 0;
    const top = items.find((item) => item.end > offset) ?? first;
    const row = latest.current[top.index];
    if (row !== undefined) navigation.savePosition({ rowId: row.key, offset: offset - top.start });
  }, [virtualizer, window, navigation]);
}
