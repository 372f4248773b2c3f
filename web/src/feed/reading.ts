import type { ReadMarks } from '@heddle/client/model/messages/marks.ts';
import type { Messages } from '@heddle/client/model/messages/messages.ts';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import type { FeedLayout } from './feed-layout.ts';
import type { Row } from './rows.ts';

/** When scrolling marks messages as read: the values of the setting `web_mark_read_on_scroll_policy`. */
export const ReadPolicy = { always: 1, conversationsOnly: 2, never: 3 } as const;

/** Whether messages that the user sees in this view count as read. */
export function marksAsRead(policy: number, isConversation: boolean): boolean {
  return policy === ReadPolicy.always || (policy === ReadPolicy.conversationsOnly && isConversation);
}

export interface ReadingOptions {
  readonly messages: Messages;
  readonly marks: ReadMarks;
  readonly isActive: boolean;
  /** Messages that the user has marked as unread stay so until the view is opened again. */
  readonly keepsUnread: ReadonlySet<number>;
}

/**
 * Marks the messages as read whose end is visible in a focused window. Returns the function to call after each scroll.
 * Rows that the browser has measured can become visible without a scroll, so their reports make this look again.
 * It looks at most once per frame.
 */
export function useReading(
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  layout: FeedLayout,
  rows: readonly Row[],
  { messages, marks, isActive, keepsUnread }: ReadingOptions,
): () => void {
  const latest = useRef({ rows, isActive });
  latest.current = { rows, isActive };
  const frame = useRef(0);
  const look = useCallback(() => {
    frame.current = 0;
    const { rows: shown, isActive: counts } = latest.current;
    if (!counts || !document.hasFocus() || document.visibilityState !== 'visible') return;
    const top = virtualizer.scrollElement?.scrollTop ?? 0;
    const bottom = top + (virtualizer.scrollRect?.height ?? 0);
    const below = virtualizer.getVirtualItems().filter(({ end }) => end > top);
    const unknown = below.findIndex(({ key }) => !layout.isMeasured(virtualizer.elementsCache.get(key)));
    const seen = below.slice(0, unknown < 0 ? undefined : unknown).flatMap(({ index, end }) => {
      const row = shown[index];
      const record = end <= bottom + 1 && row?.kind === 'message' ? messages.get(row.id) : undefined;
      return record === undefined || keepsUnread.has(record.id) ? [] : [record];
    });
    marks.mark(seen);
  }, [virtualizer, layout, messages, marks, keepsUnread]);
  const schedule = useCallback(() => {
    if (frame.current === 0) frame.current = requestAnimationFrame(look);
  }, [look]);
  useEffect(() => {
    const unsubscribe = layout.changes.subscribe(schedule);
    window.addEventListener('focus', schedule);
    document.addEventListener('visibilitychange', schedule);
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
      window.removeEventListener('focus', schedule);
      document.removeEventListener('visibilitychange', schedule);
    };
  }, [schedule, layout]);
  // New rows at the end of a list that follows them are visible without a scroll.
  useEffect(() => {
    if (rows.length > 0) schedule();
  }, [schedule, rows]);
  return schedule;
}
