import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { END_PIXELS, type FeedLayout } from './feed-layout.ts';
import type { Row } from './rows.ts';

/** Heights are rounded, so a list at its end can be this far from it. */
const ROUNDING_PIXELS = 2;

export interface StayAtEnd {
  /** Call this after each scroll. */
  readonly noteScroll: () => void;
  /** The list goes somewhere else. */
  readonly leave: () => void;
}

/**
 * A list at its end stays there until the user scrolls up: when rows come, go or are replaced, and when they get another height. The
 * virtualizer does most of this. It does not know the end when one change adds, removes and replaces rows, as after a reconnection.
 */
export function useStayAtEnd(
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  layout: FeedLayout,
  rows: readonly Row[],
  window: MessageWindow,
  opensAtEnd: boolean,
): StayAtEnd {
  const stays = useRef<'exactly' | 'nearly' | 'no'>(opensAtEnd ? 'exactly' : 'no');
  const last = useRef({ top: 0, limit: 0, height: 0 });
  const frame = useRef(0);
  // While heights are estimates, the end is elsewhere.
  const isMeasured = useCallback(
    () => virtualizer.getVirtualItems().every(({ key }) => layout.isMeasured(virtualizer.elementsCache.get(key))),
    [virtualizer, layout],
  );
  const keep = useCallback(() => {
    frame.current = 0;
    if (!window.foundNewest) stays.current = 'no';
    else if (!virtualizer.isAtEnd(ROUNDING_PIXELS)) {
      if (stays.current === 'exactly') virtualizer.scrollToEnd();
    } else if (isMeasured()) stays.current = 'exactly';
  }, [virtualizer, window, isMeasured]);
  const lastKey = useRef<Row['key']>(undefined);
  useLayoutEffect(() => {
    const before = lastKey.current;
    lastKey.current = rows.at(-1)?.key;
    // The first rows are where the list opens.
    if (before === undefined) return;
    if (stays.current === 'nearly' && before !== lastKey.current) stays.current = 'exactly';
    if (stays.current === 'exactly') keep();
  }, [rows, keep]);
  useEffect(() => {
    const unsubscribe = layout.changes.subscribe(() => {
      if (frame.current === 0) frame.current = requestAnimationFrame(keep);
    });
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [layout, keep]);
  const noteScroll = useCallback(() => {
    const list = virtualizer.scrollElement;
    if (list === null) return;
    const top = list.scrollTop;
    const height = list.clientHeight;
    const limit = list.scrollHeight - height;
    const { top: topBefore, limit: limitBefore, height: heightBefore } = last.current;
    last.current = { top, limit, height };
    // A list that became shorter moves, too. So does one that became higher, perhaps further than its height says now: when the keyboard of a
    // phone closes, the list is higher for a moment, until the bar below it is back.
    const movedUp = height === heightBefore && topBefore - top - Math.max(0, limitBefore - limit) > ROUNDING_PIXELS;
    const distance = limit - top;
    if (!window.foundNewest) stays.current = 'no';
    else if (distance > ROUNDING_PIXELS && (movedUp || stays.current !== 'exactly')) {
      stays.current = distance <= END_PIXELS ? 'nearly' : 'no';
    } else if (distance <= ROUNDING_PIXELS && isMeasured()) stays.current = 'exactly';
  }, [virtualizer, window, isMeasured]);
  const leave = useCallback(() => {
    stays.current = 'no';
  }, []);
  return { noteScroll, leave };
}
