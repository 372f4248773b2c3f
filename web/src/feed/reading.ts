import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import type { WholeView } from '@heddle/client/model/messages/whole-view.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import { onUserEvents } from '../base/user-events.ts';
import type { FeedLayout } from './feed-layout.ts';
import type { ListTop } from './list-top.ts';
import type { Row } from './rows.ts';

/** When scrolling marks messages as read: the values of the setting `web_mark_read_on_scroll_policy`. */
const ReadPolicy = { always: 1, conversationsOnly: 2, never: 3 } as const;

/** When the newest message was visible for this long, everything above is read. */
const END_READ_AFTER_MS = 1_000;

/** Whether messages that the user sees in this view count as read. Those of fragments never do. */
export function marksAsRead({ account }: Model, view: WholeView | undefined): boolean {
  const policy = account.settings.web_mark_read_on_scroll_policy;
  if (policy === ReadPolicy.conversationsOnly) return view?.kind === 'conversation';
  return policy === ReadPolicy.always && view !== undefined;
}

export interface ReadingOptions {
  readonly model: Model;
  readonly window: MessageWindow;
  /** What lies over the first rows. */
  readonly top: ListTop;
  /** Whether what is visible counts as read. The user can change the setting meanwhile. */
  readonly isActive: () => boolean;
  /** The user has reached the end, and this is the newest message. */
  readonly readEnd: (newestId: number) => void;
}

export interface Reading {
  /** Call this after each scroll. */
  readonly look: () => void;
  /** The user goes to the end. Everything above counts as read as soon as the newest message is visible. */
  readonly goesToEnd: () => void;
}

/**
 * Marks the messages as read whose end is visible in a focused window, and notices when the user has reached the end. Rows that the
 * browser has measured can become visible without a scroll, so their reports make this look again. It looks at most once per frame.
 */
export function useReading(
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  layout: FeedLayout,
  rows: readonly Row[],
  { model, window: shown, top, isActive, readEnd }: ReadingOptions,
): Reading {
  const latest = useRef({ rows, isActive });
  latest.current = { rows, isActive };
  const frame = useRef(0);
  const end = useRef<EndState>({ readId: undefined, isSoughtByUser: false, timer: undefined });
  const { messages, marks, keptUnread } = model.cache;
  const look = useCallback(() => {
    frame.current = 0;
    const { rows: all, isActive: counts } = latest.current;
    const isWatched = counts() && document.hasFocus() && document.visibilityState === 'visible';
    const seen = isWatched ? visibleRows(virtualizer, layout, all, top) : [];
    marks.mark(
      seen.flatMap((row) => {
        const record = row.kind === 'message' ? messages.get(row.id) : undefined;
        return record === undefined || keptUnread.has(record.id) ? [] : [record];
      }),
    );
    const newest = all.findLast((row) => row.kind === 'message');
    const isAtEnd = newest !== undefined && shown.foundNewest && !shown.isStale && seen.includes(newest);
    const { readId, isSoughtByUser, timer } = end.current;
    if (!isAtEnd) {
      clearTimeout(timer);
      end.current = { readId: undefined, isSoughtByUser, timer: undefined };
    } else if (isSoughtByUser) {
      clearTimeout(timer);
      end.current = { readId: newest.id, isSoughtByUser: false, timer: undefined };
      readEnd(newest.id);
    } else if (timer === undefined && readId !== newest.id) {
      const wait = () => {
        end.current = { readId: newest.id, isSoughtByUser: false, timer: undefined };
        // Another window can have the focus meanwhile.
        if (document.hasFocus()) readEnd(newest.id);
        look();
      };
      end.current = { readId, isSoughtByUser, timer: setTimeout(wait, END_READ_AFTER_MS) };
    }
  }, [virtualizer, layout, messages, marks, keptUnread, shown, top, readEnd]);
  const schedule = useCallback(() => {
    if (frame.current === 0) frame.current = requestAnimationFrame(look);
  }, [look]);
  const goesToEnd = useCallback(() => {
    end.current = { ...end.current, isSoughtByUser: true };
    schedule();
  }, [schedule]);
  useEffect(() => {
    const unsubscribe = layout.changes.subscribe(schedule);
    window.addEventListener('focus', schedule);
    // A hidden page has no frames.
    window.addEventListener('blur', look);
    document.addEventListener('visibilitychange', look);
    // Who does something else on the way does not seek the end any more.
    const endEvents = onUserEvents(() => {
      end.current = { ...end.current, isSoughtByUser: false };
    });
    return () => {
      unsubscribe();
      endEvents();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
      clearTimeout(end.current.timer);
      end.current = { readId: undefined, isSoughtByUser: end.current.isSoughtByUser, timer: undefined };
      window.removeEventListener('focus', schedule);
      window.removeEventListener('blur', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [schedule, look, layout]);
  // New rows at the end of a list that follows them are visible without a scroll. Then the server can say that they are all.
  const isComplete = shown.foundNewest && !shown.isStale;
  useEffect(() => {
    if (rows.length > 0 || isComplete) schedule();
  }, [schedule, rows, isComplete]);
  return { look: schedule, goesToEnd };
}

interface EndState {
  /** The newest message when the end was read, until the user leaves the end. */
  readonly readId: number | undefined;
  readonly isSoughtByUser: boolean;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/** The rows whose end is visible, which the bar at the top does not cover. Rows below one with an unknown height are elsewhere. */
function visibleRows(
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  layout: FeedLayout,
  rows: readonly Row[],
  { covered }: ListTop,
): readonly Row[] {
  const list = virtualizer.scrollElement;
  const top = list?.scrollTop ?? 0;
  // In a low window the page scrolls, too, so that parts of the list are outside.
  const start = list?.getBoundingClientRect().top ?? 0;
  const hidden = Math.max(covered, -start);
  const bottom = top + Math.min(virtualizer.scrollRect?.height ?? 0, window.innerHeight - start);
  const below = virtualizer.getVirtualItems().filter(({ end }) => end > top);
  const unknown = below.findIndex(({ key }) => !layout.isMeasured(virtualizer.elementsCache.get(key)));
  return below
    .slice(0, unknown < 0 ? undefined : unknown)
    .flatMap(({ index, end }) => (end > top + hidden && end <= bottom + 1 ? (rows[index] ?? []) : []));
}
