import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { Navigation, ScrollPosition } from '../base/navigation.ts';
import { onUserEvents } from '../base/user-events.ts';
import { END_PIXELS } from './feed-layout.ts';
import type { ListTop } from './list-top.ts';
import type { Row } from './rows.ts';

/** How close to an end of the loaded rows the user must be before more are loaded, in rows. */
const LOAD_AHEAD_ROWS = 25;

/** What stays visible above a row that the list scrolls to, in pixels. */
export const SCROLL_PADDING_PIXELS = 72;

/** How much of that is below the bar at the top. A notice has room there. */
const CLEAR_PIXELS = 52;

/** The distance from the edge of the list to a row that it scrolls to, in pixels. */
export function scrollPadding({ covered }: ListTop): number {
  return Math.max(SCROLL_PADDING_PIXELS, covered + CLEAR_PIXELS);
}

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
  const index = indexOf(rows, target);
  if (index < 0) scrollToEnd(virtualizer);
  else if (target.kind === 'position') hold(virtualizer, index, target.position.offset);
  else holdBelowTop(virtualizer, index);
}

function indexOf(rows: readonly Row[], target: Target): number {
  if (target.kind === 'end') return -1;
  if (target.kind === 'message') return rows.findIndex(({ key }) => key === target.id);
  const { rowId } = target.position;
  const index = rows.findIndex(({ key }) => key === rowId);
  if (index >= 0 || typeof rowId !== 'number') return index;
  // The message was deleted or moved. The next one is where it was.
  return rows.findIndex((row) => row.kind === 'message' && row.id > rowId);
}

/** A position counts as reached after this many frames in which no row near it got another height. */
const STABLE_FRAMES = 3;
const MAX_FRAMES = 60;

/** Ends what holds a list now: it has one destination at a time. */
const endsOfHolding = new WeakMap<FeedVirtualizer, () => void>();

function scrollToEnd(virtualizer: FeedVirtualizer): void {
  endsOfHolding.get(virtualizer)?.();
  virtualizer.scrollToEnd();
}

function holdBelowTop(virtualizer: FeedVirtualizer, index: number): void {
  hold(virtualizer, index, -virtualizer.options.scrollPaddingStart);
}

/**
 * Scrolls to a row. Rows get their real heights in the frames after they appear, and older messages can arrive above the row. So this corrects
 * the position until it is stable: the virtualizer itself would go to the same index, which is another row then.
 * @param offset of the top of the list from the beginning of the row, in pixels
 */
function hold(virtualizer: FeedVirtualizer, index: number, offset: number): void {
  const wanted = virtualizer.measurementsCache[index]?.key;
  let last = Number.NaN;
  let stable = 0;
  let frames = 0;
  const step = () => {
    const start = virtualizer.measurementsCache.find(({ key }) => key === wanted)?.start;
    if (start === undefined || frames >= MAX_FRAMES) return end();
    frames += 1;
    stable = start === last ? stable + 1 : 0;
    last = start;
    if (stable >= STABLE_FRAMES) return end();
    virtualizer.scrollToOffset(start + offset);
    frame = requestAnimationFrame(step);
  };
  // From now on the user decides, or another destination.
  const end = () => {
    cancelAnimationFrame(frame);
    endEvents();
  };
  endsOfHolding.get(virtualizer)?.();
  endsOfHolding.set(virtualizer, end);
  const endEvents = onUserEvents(end);
  let frame = requestAnimationFrame(step);
  virtualizer.scrollToIndex(index, { align: 'start' });
}

/**
 * Loads more messages when the user comes near an end, and remembers the position for the history. Call the returned function after each
 * scroll. The work waits for the next frame: then the virtualizer knows the new position, too.
 */
export function useScrollWork(
  virtualizer: FeedVirtualizer,
  rows: readonly Row[],
  window: MessageWindow,
  navigation: Navigation,
): () => void {
  const latest = useRef(rows);
  latest.current = rows;
  const frame = useRef(0);
  const work = useCallback(() => {
    const items = virtualizer.getVirtualItems();
    const first = items[0];
    const last = items.at(-1);
    const offset = virtualizer.scrollElement?.scrollTop ?? 0;
    // The list has scrolled after the last event of a scroll, and another event is on its way.
    if (first === undefined || last === undefined || Math.abs(offset - (virtualizer.scrollOffset ?? 0)) > 1) return;
    if (first.index < LOAD_AHEAD_ROWS) void window.loadOlder();
    if (last.index >= latest.current.length - LOAD_AHEAD_ROWS) void window.loadNewer();
    const visible = items.filter((item) => item.end > offset);
    // Messages keep their ids, and other rows can go.
    const top = visible.find(({ index }) => latest.current[index]?.kind === 'message') ?? visible[0] ?? first;
    const row = latest.current[top.index];
    const isAtEnd = window.foundNewest && virtualizer.isAtEnd(END_PIXELS);
    if (row !== undefined) navigation.savePosition({ rowId: row.key, offset: offset - top.start, isAtEnd });
  }, [virtualizer, window, navigation]);
  const schedule = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(work);
  }, [work]);
  // A page can be shorter than a tall window, in which nothing scrolls. New rows can leave room for more. A page can also bring no rows,
  // because it failed, or messages at its end were dropped meanwhile. At the end of the list nothing scrolls either.
  const { isLoadingOlder, isLoadingNewer } = window;
  useEffect(() => {
    const canLoad = !isLoadingOlder || !isLoadingNewer;
    if (canLoad && rows.length > 0) schedule();
  }, [schedule, rows, isLoadingOlder, isLoadingNewer]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return schedule;
}

/** Where a list goes: to its newest message, or to another one. */
export type Destination = number | 'newest';

/**
 * Leads to a message, which may have to be loaded first. The returned function calls `arrive` with its id when the list shows it. If it
 * could not be loaded, it calls `fail`.
 */
export function useJump(
  virtualizer: FeedVirtualizer,
  rows: readonly Row[],
  window: MessageWindow,
): (to: Destination, arrive?: (id: number) => void, fail?: () => void) => void {
  const latest = useRef(rows);
  latest.current = rows;
  const pending = useRef<{ readonly to: Destination; readonly arrive: (id: number) => void }>(undefined);
  const jump = useCallback(() => {
    if (pending.current === undefined) return;
    const { to, arrive } = pending.current;
    if (!window.covers(to)) return;
    // The message can have been deleted or moved.
    const isWanted = (row: Row) => row.kind === 'message' && (to === 'newest' || row.id >= to);
    const index = latest.current[to === 'newest' ? 'findLastIndex' : 'findIndex'](isWanted);
    pending.current = undefined;
    if (to === 'newest') scrollToEnd(virtualizer);
    else if (index >= 0) holdBelowTop(virtualizer, index);
    const row = latest.current[index];
    if (row?.kind === 'message') arrive(row.id);
  }, [virtualizer, window]);
  // After each render: the one after the response has the rows.
  useLayoutEffect(jump);
  return useCallback(
    (to, arrive = () => undefined, fail = () => undefined) => {
      const wanted = { to, arrive };
      pending.current = wanted;
      if (window.covers(to)) return jump();
      const isMissing = () => pending.current === wanted && !window.covers(to);
      const load = async () => {
        await window.open(to);
        // A refresh of the range can have taken the place of the request.
        if (isMissing()) await window.open(to);
        if (!isMissing()) return;
        // The request failed. A later page must not move the list.
        pending.current = undefined;
        fail();
      };
      void load();
    },
    [window, jump],
  );
}
