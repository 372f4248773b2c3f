import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { hasSingleKeys } from '../base/keyboard.ts';
import { useShortcut } from '../base/keyboard-react.tsx';
import type { PlaceMemory } from '../base/list-place.ts';
import { isFocusFree } from '../base/user-events.ts';
import { classes } from '../design/classes.ts';
import { initialOffsetOf, useKeptPlace } from '../design/use-kept-place.ts';
import styles from './row-list.module.css';
import { listShortcuts } from './shortcuts.ts';

export interface ListRow {
  /** Unique in the list. It stays with the row when others come and go. */
  readonly key: string;
  /** The row has nothing to focus. */
  readonly isStatic?: boolean;
}

export interface RowListHandle {
  /** Moves the focus to the first row. Returns false if there is none. */
  focusFirst(): boolean;
  /** Moves the focus to this row, if it exists. */
  focus(key: string): void;
  /** Scrolls so that this row is visible. Returns false if it does not exist. */
  reveal(key: string): boolean;
}

export interface RowListProps<Row extends ListRow> {
  /** The name of the list. */
  label: string;
  rows: readonly Row[];
  /**
   * The content of a row. Its main control has `data-primary`. Its controls have `tabIndex` 0 if the row is active, and -1
   * otherwise, so that the list is one stop of the Tab key.
   */
  renderRow: (row: Row, isActive: boolean) => ReactNode;
  /** The usual height in pixels, before a row is measured. */
  heightOf: (row: Row) => number;
  /** Handles a key of the active row before the list does. Returns whether it did. */
  onKey?: (event: KeyboardEvent, row: Row) => boolean;
  handle?: Ref<RowListHandle>;
  /** `list`, or `rowgroup` for the body of a table. */
  role?: 'list' | 'rowgroup';
  /** The number of the first row in its table. */
  firstRowIndex?: number;
  className?: string | undefined;
  /** Takes the arrow keys also while nothing has the focus, because the list is what the view is about. */
  takesKeys?: boolean;
  /** Called when the last rows become visible. */
  onEnd?: () => void;
  /** How many of the first rows stay while the others scroll, if there is room. */
  fixedCount?: number;
  /** Where the list was when the user left it. */
  place?: PlaceMemory;
}

/** Letters that move as the arrow keys do, for hands that stay on the letters. */
const LETTERS: Readonly<Record<string, string>> = { j: 'ArrowDown', k: 'ArrowUp', h: 'ArrowLeft', l: 'ArrowRight' };

/**
 * A list of links and buttons of which only the visible rows exist. The arrow keys move between rows, and left and right
 * between the controls of a row. The focus is never lost: a removed row gives it to the row that takes its place.
 */
export function RowList<Row extends ListRow>(props: RowListProps<Row>): ReactNode {
  const {
    label,
    rows,
    renderRow,
    heightOf,
    handle,
    role = 'list',
    firstRowIndex = 1,
    className,
    onEnd,
    takesKeys,
    fixedCount = 0,
    place,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const fixed = useRef<HTMLDivElement>(null);
  const { index: active, setTo } = useActiveRow(rows);
  const keyOf = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const heightAt = (index: number) => heightOf(rows[index] as Row);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: heightAt,
    initialOffset: () => initialOffsetOf(place, rows.length, keyOf, heightAt),
    getItemKey: keyOf,
    overscan: 8,
    rangeExtractor: useCallback(
      ({ startIndex, endIndex, overscan, count }) => {
        const first = Math.max(0, startIndex - overscan);
        const last = Math.min(count - 1, endIndex + overscan);
        const shown = new Set(Array.from({ length: Math.min(fixedCount, count) }, (_, index) => index));
        for (let index = first; index <= last; index += 1) shown.add(index);
        if (active < count) shown.add(active);
        return [...shown].sort((a, b) => a - b);
      },
      [active, fixedCount],
    ),
  });
  const hasFocus = useKeptFocus(scroller, active);
  const scrollTo = useCallback(
    (index: number) => {
      // A row must not end up behind those that stay.
      virtualizer.options.scrollPaddingStart = coveredHeight(fixed.current);
      if (index >= fixedCount) virtualizer.scrollToIndex(index, { align: 'auto' });
    },
    [virtualizer, fixedCount],
  );
  useKeptPlace({
    memory: place,
    count: rows.length,
    keyOf,
    virtualizer,
    scroller,
    active,
    setActive: setTo,
    controlsOf: (index) => controlsOf(scroller.current, index),
  });
  const moveTo = useMover(scroller, scrollTo, setTo);
  useImperativeHandle(handle, () => handleOf(rows, scrollTo, moveTo), [rows, scrollTo, moveTo]);
  useKeysWithoutFocus(takesKeys === true, rows, active, moveTo);
  const items = virtualizer.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? -1) >= rows.length - 1;
  useLayoutEffect(() => {
    if (isAtEnd && rows.length > 0) onEnd?.();
  }, [isAtEnd, rows, onEnd]);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || row === undefined) return;
    if (event.target instanceof HTMLInputElement) return;
    if (props.onKey?.(event, row)) return event.preventDefault();
    const key = (hasSingleKeys() && !event.shiftKey && LETTERS[event.key]) || event.key;
    const page = Math.max(1, items.length - 18);
    const target = targetOf(rows, key, active, page);
    if (target !== undefined) moveTo(target);
    else if (key !== 'ArrowRight' && key !== 'ArrowLeft') return;
    else if (!moveInRow(scroller.current, active, key === 'ArrowRight' ? 1 : -1)) return;
    event.preventDefault();
    // The same letters move in the feed.
    event.stopPropagation();
  };
  const rowRole = role === 'list' ? 'listitem' : 'row';
  const renderItem = ({ index, key, start }: (typeof items)[number]) => {
    const row = rows[index];
    if (row === undefined) return null;
    const isFixed = index < fixedCount;
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: it notes which of its controls has the focus.
      <div
        key={key}
        ref={virtualizer.measureElement}
        data-index={index}
        role={rowRole}
        className={isFixed ? undefined : styles.row}
        style={isFixed ? undefined : { top: start }}
        {...(role === 'list'
          ? { 'aria-posinset': index + 1, 'aria-setsize': rows.length }
          : { 'aria-rowindex': firstRowIndex + index })}
        onFocus={() => setTo(index)}
      >
        {renderRow(row, index === active)}
      </div>
    );
  };
  return (
    <div ref={scroller} className={classes(styles.scroller, className)} data-list>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its role is a list or a row group. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have names. */}
      <div
        role={role}
        aria-label={label}
        className={styles.rows}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        onFocus={() => {
          hasFocus.current = true;
        }}
        onBlur={({ relatedTarget }) => {
          // The browser reports no element when the focused row is removed or the window loses the focus.
          if (relatedTarget !== null) hasFocus.current = false;
        }}
        data-keyboard-scope="list"
      >
        {fixedCount > 0 && (
          <div ref={fixed} role="presentation" className={styles.fixed}>
            {items.filter(({ index }) => index < fixedCount).map(renderItem)}
          </div>
        )}
        {items.filter(({ index }) => index >= fixedCount).map(renderItem)}
      </div>
    </div>
  );
}

/** Moves to the active row when an arrow key is pressed while nothing has the focus. */
function useKeysWithoutFocus(
  isOn: boolean,
  rows: readonly ListRow[],
  active: number,
  moveTo: (index: number) => void,
): void {
  const begin = (): boolean => {
    // The frame gives the focus to its columns when they open and close.
    const index = isFocusFree() ? (nextOf(rows, active, 1) ?? nextOf(rows, active, -1)) : undefined;
    if (index !== undefined) moveTo(index);
    return index !== undefined;
  };
  useShortcut(listShortcuts.next, begin, { when: isOn });
  useShortcut(listShortcuts.previous, begin, { when: isOn });
}

type Scroller = { readonly current: HTMLDivElement | null };

function primaryOf(scroller: HTMLDivElement | null, index: number): HTMLElement | null | undefined {
  return scroller?.querySelector<HTMLElement>(`[data-index="${index}"] [data-primary]`);
}

/** Gives the focus of a removed row to the active one. */
function useKeptFocus(scroller: Scroller, active: number) {
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) {
      primaryOf(scroller.current, active)?.focus({ preventScroll: true });
    }
  });
  return hasFocus;
}

/** The height of the rows that stay above the others. In a low window they scroll, too. */
function coveredHeight(fixed: HTMLElement | null): number {
  return fixed !== null && getComputedStyle(fixed).position === 'sticky' ? fixed.offsetHeight : 0;
}

function useMover(scroller: Scroller, scrollTo: (index: number) => void, setTo: (index: number) => void) {
  return useCallback(
    (index: number) => {
      setTo(index);
      scrollTo(index);
      const primary = primaryOf(scroller.current, index);
      primary?.focus({ preventScroll: true });
      // A row that is far away exists only after the list has rendered again.
      if (!primary) requestAnimationFrame(() => primaryOf(scroller.current, index)?.focus({ preventScroll: true }));
    },
    [scroller, scrollTo, setTo],
  );
}

function handleOf(
  rows: readonly ListRow[],
  scrollTo: (index: number) => void,
  moveTo: (index: number) => void,
): RowListHandle {
  const indexOf = (key: string) => rows.findIndex((row) => row.key === key);
  return {
    focusFirst() {
      const first = rows.findIndex(({ isStatic }) => !isStatic);
      if (first >= 0) moveTo(first);
      return first >= 0;
    },
    focus(key) {
      const index = indexOf(key);
      if (index >= 0) moveTo(index);
    },
    reveal(key) {
      const index = indexOf(key);
      if (index >= 0) scrollTo(index);
      return index >= 0;
    },
  };
}

/** The row to which a key moves. */
function targetOf(rows: readonly ListRow[], key: string, active: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return nextOf(rows, active + 1, 1);
    case 'ArrowUp':
      return nextOf(rows, active - 1, -1);
    case 'PageDown':
      return nextOf(rows, Math.min(active + page, rows.length - 1), -1);
    case 'PageUp':
      return nextOf(rows, Math.max(active - page, 0), 1);
    case 'Home':
      return nextOf(rows, 0, 1);
    case 'End':
      return nextOf(rows, rows.length - 1, -1);
    default:
      return undefined;
  }
}

/** The first row from `index` on that can have the focus. */
function nextOf(rows: readonly ListRow[], index: number, step: 1 | -1): number | undefined {
  for (let at = index; at >= 0 && at < rows.length; at += step) if (!rows[at]?.isStatic) return at;
  return undefined;
}

/** The controls of a row. */
function controlsOf(scroller: HTMLDivElement | null, index: number): HTMLElement[] {
  return [
    ...(scroller?.querySelectorAll<HTMLElement>(`[data-index="${index}"] :is(a[href], button:not(:disabled))`) ?? []),
  ];
}

/** Moves the focus between the controls of a row. Returns whether it moved. */
function moveInRow(scroller: HTMLDivElement | null, index: number, step: 1 | -1): boolean {
  const stops = controlsOf(scroller, index);
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  next?.focus();
  return next !== undefined;
}

interface ActiveRow {
  readonly index: number;
  readonly setTo: (index: number) => void;
}

/** The row that is in the tab order. It keeps its key when rows come and go. If it is removed, its neighbour takes its place. */
function useActiveRow(rows: readonly ListRow[]): ActiveRow {
  const [active, setActive] = useState<{ readonly key: string | undefined; readonly index: number }>({
    key: undefined,
    index: 0,
  });
  let { index } = active;
  if (rows[index]?.key !== active.key && rows.length > 0) {
    const found = active.key === undefined ? -1 : rows.findIndex(({ key }) => key === active.key);
    const near = Math.min(index, rows.length - 1);
    index = found >= 0 ? found : (nextOf(rows, near, 1) ?? nextOf(rows, near, -1) ?? near);
    setActive({ key: rows[index]?.key, index });
  }
  const setTo = useCallback((to: number) => setActive({ key: rows[to]?.key, index: to }), [rows]);
  return { index, setTo };
}
