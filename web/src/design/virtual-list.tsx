import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useRef,
  useState,
} from 'react';
import type { PlaceMemory } from '../base/list-place.ts';
import { classes } from './classes.ts';
import { useFocusOfRemoved } from './use-focus-of-removed.ts';
import { initialOffsetOf, useKeptPlace } from './use-kept-place.ts';
import styles from './virtual-list.module.css';

/** The keys of a row's place in the list, and whether it is the active one. */
export interface RowState {
  readonly index: number;
  /** Whether the keyboard is here. */
  readonly isActive: boolean;
}

export interface VirtualListProps {
  /** The name of the list. */
  label: string;
  /** `list` is read only; `listbox` chooses one row; `grid` has rows with buttons and links, which the arrow keys reach. */
  kind: 'list' | 'listbox' | 'grid';
  count: number;
  /** A key that stays with its row when rows come and go. */
  keyOf: (index: number) => string | number;
  /** The height of a row in pixels. With `isMeasured` it is an estimate. */
  rowHeight: number;
  isMeasured?: boolean;
  renderRow: (row: RowState) => ReactNode;
  /** Enter or a click on a row. */
  onAction?: (index: number) => void;
  /** The chosen row of a `listbox`. */
  selectedKey?: string | number | undefined;
  /** What stands in an empty list. */
  empty?: ReactNode;
  className?: string;
  /** Where the list was when the user left it. */
  place?: PlaceMemory;
}

const ROLES = { list: 'listitem', listbox: 'option', grid: 'row' } as const;
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="-1"]:not([role=row])';

/**
 * A list of which only the visible rows exist, for lists of thousands. One row is in the tab order; the arrow keys, Home, End
 * and the page keys move it. The active row stays in the document while it is scrolled away, so the focus is never lost.
 */
export function VirtualList(props: VirtualListProps): ReactNode {
  const { label, kind, count, keyOf, rowHeight, isMeasured = false, renderRow, onAction, selectedKey, place } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const row = useActiveRow(count, keyOf);
  const active = row.index;
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    initialOffset: () => initialOffsetOf(place, count, keyOf, () => rowHeight),
    getItemKey: keyOf,
    overscan: 8,
    rangeExtractor: useRangeWith(active),
  });

  const rowOf = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  useKeptPlace({
    memory: place,
    count,
    keyOf,
    virtualizer,
    scroller,
    active,
    setActive: row.setTo,
    controlsOf: (index) => stopsOf(rowOf(index)),
  });
  const followFocus = useFocusOfRemoved(() => rowOf(active)?.focus({ preventScroll: true }));
  const moveTo = (index: number) => {
    const next = Math.min(count - 1, Math.max(0, index));
    row.setTo(next);
    virtualizer.scrollToIndex(next, { align: 'auto' });
    // The row may exist only after the list has rendered again.
    requestAnimationFrame(() => rowOf(next)?.focus({ preventScroll: true }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const target = targetOf(event.key, active, page, count);
    const isOnRow = (event.target as Element).hasAttribute('data-index');
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target);
    } else if (kind === 'grid' && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      if (moveInRow(rowOf(active), event.key === 'ArrowRight' ? 1 : -1)) event.preventDefault();
    } else if (isOnRow && onAction && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      onAction(active);
    }
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const clicked = target.closest('[data-index]');
    if (clicked === null) return;
    const index = Number(clicked.getAttribute('data-index'));
    row.setTo(index);
    if (target.closest('a, button, input') === null) onAction?.(index);
  };

  if (count === 0) return props.empty;
  return (
    <div
      ref={scroller}
      className={classes(styles.scroller, props.className)}
      style={heightOf(virtualizer.getTotalSize())}
      data-list
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of three roles, and `list` has no handlers. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: all three roles have names. */}
      <div
        role={kind}
        aria-label={label}
        className={styles.rows}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={kind === 'list' ? undefined : onKeyDown}
        onClick={kind === 'list' ? undefined : onClick}
        {...followFocus}
        {...(kind === 'grid' && { 'aria-rowcount': count })}
        {...(kind !== 'list' && { 'data-keyboard-scope': 'list' })}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the rows of a `list` cannot have the focus.
          <div
            key={key}
            data-index={index}
            ref={isMeasured ? virtualizer.measureElement : undefined}
            role={ROLES[kind]}
            className={styles.row}
            style={{ top: start, height: isMeasured ? undefined : rowHeight }}
            {...placeOf(kind, index, count)}
            {...(kind !== 'list' && { tabIndex: index === active ? 0 : -1 })}
            {...(kind === 'listbox' && { 'aria-selected': key === selectedKey })}
            onFocus={kind === 'list' ? undefined : () => row.setTo(index)}
          >
            <Cell isCell={kind === 'grid'}>{renderRow({ index, isActive: index === active })}</Cell>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The height of all rows, for lists that are not higher than they must be. */
function heightOf(rows: number): CSSProperties {
  return { '--list-height': `${rows}px` } as CSSProperties;
}

function Cell({ isCell, children }: { isCell: boolean; children: ReactNode }): ReactNode {
  // biome-ignore lint/a11y/useSemanticElements: the grid is not a table.
  // biome-ignore lint/a11y/useFocusableInteractive: the row or its controls have the focus.
  return isCell ? <div role="gridcell">{children}</div> : children;
}

function placeOf(kind: VirtualListProps['kind'], index: number, count: number): Record<string, number> {
  return kind === 'grid' ? { 'aria-rowindex': index + 1 } : { 'aria-posinset': index + 1, 'aria-setsize': count };
}

/** The row to which a key moves. */
function targetOf(key: string, active: number, page: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return active + 1;
    case 'ArrowUp':
      return active - 1;
    case 'PageDown':
      return active + page;
    case 'PageUp':
      return active - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** The row and its controls. */
function stopsOf(row: HTMLElement | null | undefined): HTMLElement[] {
  return row ? [row, ...row.querySelectorAll<HTMLElement>(FOCUSABLE)] : [];
}

/** Moves the focus between the row and its controls. Returns whether it moved. */
function moveInRow(row: HTMLElement | null | undefined, step: 1 | -1): boolean {
  const stops = stopsOf(row);
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  next?.focus();
  return next !== undefined;
}

/** Extends the visible rows by the active one. */
function useRangeWith(active: number): (range: Range) => number[] {
  return useCallback(
    ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(0, startIndex - overscan);
      const last = Math.min(count - 1, endIndex + overscan);
      const visible = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
      if (active < first) return [active, ...visible];
      return active > last && active < count ? [...visible, active] : visible;
    },
    [active],
  );
}

interface ActiveRow {
  readonly index: number;
  setTo(index: number): void;
}

/** The row that is in the tab order. It keeps its key when rows come and go. If it is removed, its neighbour takes its place. */
function useActiveRow(count: number, keyOf: (index: number) => string | number): ActiveRow {
  const [active, setActive] = useState<{ key: string | number | undefined; index: number }>({
    key: undefined,
    index: 0,
  });
  let { index } = active;
  const isThere = index < count && keyOf(index) === active.key;
  if (!isThere && count > 0) {
    index = findNear(active.key, index, count, keyOf) ?? Math.min(index, count - 1);
    setActive({ key: keyOf(index), index });
  }
  return { index, setTo: (to) => setActive({ key: keyOf(to), index: to }) };
}

/** The index of `key`, which is mostly near where it was. */
function findNear(
  key: string | number | undefined,
  from: number,
  count: number,
  keyOf: (index: number) => string | number,
): number | undefined {
  if (key === undefined) return undefined;
  for (let distance = 1; distance <= Math.max(from, count - from); distance += 1) {
    for (const index of [from + distance, from - distance]) {
      if (index >= 0 && index < count && keyOf(index) === key) return index;
    }
  }
  return undefined;
}
