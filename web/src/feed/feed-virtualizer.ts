import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { END_PIXELS, FeedLayout } from './feed-layout.ts';
import { keyOfTarget, SCROLL_PADDING_PIXELS, scrollPadding, type Target } from './feed-scroll.ts';
import type { ListTop } from './list-top.ts';
import type { Row } from './rows.ts';

/** The usual heights of rows in pixels, before they are measured. */
const ESTIMATES: Readonly<Record<Row['kind'], number>> = {
  date: 40,
  place: 36,
  'unread-marker': 28,
  message: 56,
  outgoing: 56,
};

/** Rows beyond the visible ones, which are ready when the user scrolls. */
const OVERSCAN_ROWS = 8;

/** The same for the first frame of a list, which should be there as early as possible. */
const FIRST_OVERSCAN_ROWS = 1;

/** The height of the last list in pixels. The next one most likely has the same. */
let lastHeight = 800;

/** The measured heights of the rows of a window, so that a known conversation opens without corrections. */
const knownSizes = new WeakMap<MessageWindow, ReadonlyMap<unknown, number>>();

/** The rows that exist, where they are, and what the browser has reported about their sizes. The list opens at the target. */
export function useFeedVirtualizer(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  window: MessageWindow,
  target: Target,
  top: ListTop,
) {
  const [sizes] = useState(() => knownSizes.get(window));
  const [layout] = useState(() => new FeedLayout());
  const hasPainted = usePainted();
  const measured = useRef<ReadonlyMap<unknown, number>>(undefined);
  const sentSizes = useSentSizes(rows, measured);
  const estimateSize = useCallback(
    (index: number) => {
      const row = rows[index];
      if (row === undefined) return ESTIMATES.message;
      return sizes?.get(row.key) ?? sentSizes.get(row.key) ?? ESTIMATES[row.kind];
    },
    [rows, sizes, sentSizes],
  );
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    measureElement: layout.measure,
    observeElementRect: layout.observeRect,
    overscan: hasPainted ? OVERSCAN_ROWS : FIRST_OVERSCAN_ROWS,
    scrollPaddingStart: scrollPadding(top),
    // So the first render makes the rows that will be visible.
    initialRect: { width: 0, height: lastHeight },
    initialOffset: () => offsetOf(target, rows, estimateSize),
    anchorTo: 'end',
    followOnAppend: useWasAtNewest(window),
    scrollEndThreshold: END_PIXELS,
    // Moves rows without rendering them.
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  });
  measured.current = virtualizer.itemSizeCache;
  useHoldByMessages(virtualizer, rows);
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = isAboveView;
  useLayoutEffect(
    () => () => {
      knownSizes.set(window, virtualizer.itemSizeCache);
      lastHeight = virtualizer.scrollRect?.height || lastHeight;
    },
    [window, virtualizer],
  );
  return { virtualizer, layout };
}

/**
 * A message that was sent has another row than before. It is as high as that one. With another estimate, the list would move until the
 * browser has measured it. Returns the heights by the keys of the rows.
 */
function useSentSizes(
  rows: readonly Row[],
  measured: RefObject<ReadonlyMap<unknown, number> | undefined>,
): ReadonlyMap<unknown, number> {
  const before = useRef(rows);
  const [sizes] = useState(() => new Map<unknown, number>());
  if (before.current !== rows) {
    for (let index = rows.length - 1; before.current[index]?.kind === 'outgoing'; index--) {
      const [row, outgoing] = [rows[index], before.current[index]];
      const size = measured.current?.get(outgoing?.key);
      if (row?.kind === 'message' && size !== undefined) sizes.set(row.key, size);
    }
    before.current = rows;
  }
  return sizes;
}

/**
 * When rows come or go, the virtualizer keeps the row at the top of the view where it is. This lets it choose a message: a date and a place
 * move away from their messages when older ones arrive above them.
 */
function useHoldByMessages(virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>, rows: readonly Row[]): void {
  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
  });
  useLayoutEffect(() => {
    const itemAt = virtualizer.getVirtualItemForOffset;
    virtualizer.getVirtualItemForOffset = (offset) => {
      const item = itemAt(offset);
      if (item === undefined) return undefined;
      const index = latest.current.findIndex((row, at) => at >= item.index && row.kind === 'message');
      return virtualizer.measurementsCache[index] ?? item;
    };
    return () => {
      virtualizer.getVirtualItemForOffset = itemAt;
    };
  }, [virtualizer]);
}

/**
 * Whether the view must scroll along when the height of a row changes. By default, a row that was measured before does not count while the
 * user scrolls upwards. Then an edit above would move what the user reads.
 */
function isAboveView(
  { key, start }: { readonly key: unknown; readonly start: number },
  _change: number,
  { itemSizeCache, scrollOffset }: Virtualizer<HTMLDivElement, HTMLDivElement>,
): boolean {
  const offset = scrollOffset ?? 0;
  const known = (itemSizeCache as ReadonlyMap<unknown, number>).get(key);
  return known === undefined ? start < offset : start + known <= offset;
}

/** The distance in pixels from the first row to the top of the list when it opens, as far as heights are known. */
function offsetOf(target: Target, rows: readonly Row[], sizeOf: (index: number) => number): number {
  const key = keyOfTarget(target);
  const found = rows.findIndex((row) => row.key === key);
  let offset = 0;
  for (let index = 0; index < (found < 0 ? rows.length : found); index++) offset += sizeOf(index);
  if (found < 0) return Math.max(0, offset - lastHeight);
  return Math.max(0, offset + (target.kind === 'position' ? target.position.offset : -SCROLL_PADDING_PIXELS));
}

/** False until the first frame of the component has been painted. */
function usePainted(): boolean {
  const [hasPainted, setPainted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => setPainted(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return hasPainted;
}

/**
 * Whether the newest message was loaded at the last render. Only then a list follows new rows at its end: otherwise they are
 * older messages that the user has not seen.
 */
function useWasAtNewest(window: MessageWindow): boolean {
  const { foundNewest } = window;
  const before = useRef(foundNewest);
  const follows = before.current && foundNewest;
  useLayoutEffect(() => {
    before.current = foundNewest;
  });
  return follows;
}
