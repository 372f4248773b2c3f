import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { msg } from '../base/i18n.ts';
import { defineShortcut } from '../base/keyboard.ts';
import { useShortcut } from '../base/keyboard-react.tsx';
import { useFocusOfRemoved } from '../design/use-focus-of-removed.ts';
import type { ListTop } from './list-top.ts';
import type { Row } from './rows.ts';

/** The message that the keyboard acts on. It has the focus when the feed has it. */
export interface Selection {
  readonly id: number | undefined;
  readonly select: (id: number) => void;
}

/** What the list does when it gets or loses the focus. */
type FocusHandlers = ReturnType<typeof useFocusOfRemoved>;

export const feedShortcuts = {
  next: defineShortcut({
    id: 'feed.next',
    keys: ['j', 'ArrowDown'],
    label: msg('Next message'),
    group: 'reading',
    scope: 'feed',
  }),
  previous: defineShortcut({
    id: 'feed.previous',
    keys: ['k', 'ArrowUp'],
    label: msg('Previous message'),
    group: 'reading',
    scope: 'feed',
  }),
  last: defineShortcut({
    id: 'feed.last',
    keys: ['Shift+G', 'End'],
    label: msg('Newest message'),
    group: 'reading',
    scope: 'feed',
  }),
  first: defineShortcut({
    id: 'feed.first',
    keys: ['Home'],
    label: msg('First loaded message'),
    group: 'reading',
    scope: 'feed',
  }),
  back: defineShortcut({
    id: 'feed.back',
    keys: ['o'],
    label: msg('Back to where I was'),
    group: 'reading',
  }),
  skipped: defineShortcut({
    id: 'feed.skipped',
    keys: ['Shift+Home'],
    label: msg('Back to the skipped messages'),
    group: 'reading',
    scope: 'feed',
  }),
};

/** The name under which an entry of the history keeps the message that had the focus. */
const FOCUSED = 'focused message';

interface SelectionOptions {
  /** The message of the link, if there is one. */
  readonly initial: number | undefined;
  /** Identifies the entry of the history. */
  readonly visit: string;
  readonly top: ListTop;
  readonly jumpToNewest: (arrive: (id: number) => void) => void;
}

export function useSelection(
  rows: readonly Row[],
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  scroller: RefObject<HTMLDivElement | null>,
  { initial, visit, top, jumpToNewest }: SelectionOptions,
): { readonly selection: Selection; readonly focusHandlers: FocusHandlers; readonly focusOn: (id: number) => void } {
  const { navigation } = useApp();
  // If the topic is moved while the user reads it, the list is a new one, and its message gets the focus again. The same when the user comes
  // back.
  const [earlier] = useState(() => navigation.kept<number>(FOCUSED, visit));
  const [id, setId] = useState(earlier ?? initial);
  /** Whether the focus follows the selection in the next render. */
  const takesFocus = useRef(false);
  /** The same for the message of the list before, until something else has the focus. */
  const getsFocusBack = useRef(earlier !== undefined && id === earlier);
  const select = useCallback((wanted: number) => setId(wanted), []);
  const focusOn = useCallback((wanted: number) => {
    takesFocus.current = true;
    setId(wanted);
  }, []);
  const go = useCallback(
    (wanted: number | undefined) => {
      if (wanted === undefined) return;
      focusOn(wanted);
      const index = rows.findIndex((row) => row.key === wanted);
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' });
    },
    [rows, virtualizer, focusOn],
  );
  const move = (step: 1 | -1): void => go(neighbourOf(rows, id ?? visibleId(rows, virtualizer, top), step));
  useShortcut(feedShortcuts.next, () => move(1));
  useShortcut(feedShortcuts.previous, () => move(-1));
  useShortcut(feedShortcuts.last, () => jumpToNewest(focusOn));
  useShortcut(feedShortcuts.first, () => go(rows.find((row) => row.kind === 'message')?.id));
  /** Where the selected message was in the list. */
  const place = useRef(-1);
  const focusHandlers = useFocusOfRemoved(() => {
    // Only the selected message: the focus can also have been on a message that is not sent.
    if (place.current < 0 || rows.some((row) => row.key === id)) return;
    const next = rows.slice(place.current).find(isMessage) ?? rows.findLast(isMessage);
    if (next !== undefined) focusOn(next.id);
  });
  useLayoutEffect(() => {
    const index = id === undefined ? -1 : rows.findIndex((row) => row.key === id);
    if (index >= 0 || id === undefined) place.current = index;
  }, [rows, id]);
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) getsFocusBack.current = false;
    if ((!takesFocus.current && !getsFocusBack.current) || id === undefined) return;
    const element = scroller.current?.querySelector<HTMLElement>(`[data-message-id="${id}"]`);
    if (element === null || element === undefined) return;
    takesFocus.current = false;
    getsFocusBack.current = false;
    element.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    const list = scroller.current;
    return () => {
      const message = document.activeElement?.closest<HTMLElement>('[data-message-id]');
      const isHere = message !== null && message !== undefined && list?.contains(message) === true;
      navigation.keep(FOCUSED, isHere ? Number(message.dataset.messageId) : undefined, visit);
    };
  }, [scroller, visit, navigation]);
  const selection = useMemo(() => ({ id, select }), [id, select]);
  return { selection, focusHandlers, focusOn };
}

type MessageRow = Extract<Row, { kind: 'message' }>;
const isMessage = (row: Row): row is MessageRow => row.kind === 'message';

/** The next or previous message. At the ends it stays. */
function neighbourOf(rows: readonly Row[], id: number | undefined, step: 1 | -1): number | undefined {
  const start = rows.findIndex((row) => row.key === id);
  for (let index = start + step; index >= 0 && index < rows.length; index += step) {
    const row = rows[index];
    if (row?.kind === 'message') return row.id;
  }
  return id;
}

/** The first message that is visible, to begin with. The bar at the top covers others. */
function visibleId(
  rows: readonly Row[],
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  { covered }: ListTop,
): number | undefined {
  const top = (virtualizer.scrollOffset ?? 0) + covered;
  for (const item of virtualizer.getVirtualItems()) {
    const row = rows[item.index];
    if (item.end > top && row?.kind === 'message') return row.id;
  }
  return undefined;
}
