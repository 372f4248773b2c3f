import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { ListPlace, PlaceMemory } from '../base/list-place.ts';
import { isFocusFree, onUserEvents } from '../base/user-events.ts';

type Key = string | number;

interface PlacedList {
  readonly memory: PlaceMemory | undefined;
  readonly count: number;
  readonly keyOf: (index: number) => Key;
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** The row in the tab order. */
  readonly active: number;
  readonly setActive: (index: number) => void;
  /** The elements of a row that can have the focus. */
  readonly controlsOf: (index: number) => readonly HTMLElement[];
}

/**
 * Brings a list back to where it was when the user left this entry of the history. Rows that have gone meanwhile, for example because they
 * were read, do not move the others.
 */
export function useKeptPlace(list: PlacedList): void {
  const latest = useRef(list);
  latest.current = list;
  const { memory, count } = list;
  useLayoutEffect(() => memory?.onLeave(() => placeOf(latest.current)), [memory]);
  const isPlaced = useRef(false);
  const waitsForFocus = useRef(false);
  // This runs again when a view appears that was hidden while the next one was loading.
  useLayoutEffect(() => {
    isPlaced.current = false;
    waitsForFocus.current = memory?.last?.control !== undefined;
  }, [memory]);
  // Some lists are empty at first, because their rows have to be loaded.
  useLayoutEffect(() => {
    const place = memory?.last;
    if (isPlaced.current || count === 0) return;
    isPlaced.current = true;
    if (place === undefined) return;
    const { setActive, keyOf } = latest.current;
    setActive(indexOfActive(place, indexesOf(count, keyOf), count));
  }, [memory, count]);
  useHeldRow(list);
  // Its row appears in a later render.
  useLayoutEffect(() => {
    if (!waitsForFocus.current || !isPlaced.current) return;
    const { active, controlsOf } = latest.current;
    const controls = controlsOf(active);
    const control = controls[memory?.last?.control ?? 0] ?? controls[0];
    const isFree = isFocusFree();
    if (isFree && control === undefined) return;
    waitsForFocus.current = false;
    if (isFree) control?.focus({ preventScroll: true });
  });
}

/** Rows get their real heights after they appear. The row that stays where it was is held there until the user does something. */
function useHeldRow({ memory, count, virtualizer, keyOf }: PlacedList): void {
  const isHeld = useRef(false);
  useLayoutEffect(() => {
    isHeld.current = memory?.last !== undefined && memory.last.offset > 0;
    return onUserEvents(() => {
      isHeld.current = false;
      // Another list that takes the place of this one, for example of another tab, begins at its top.
      if (memory !== undefined) memory.last = undefined;
    });
  }, [memory]);
  useLayoutEffect(() => {
    if (!isHeld.current || memory?.last === undefined || count === 0) return;
    const wanted = offsetOf(memory.last, count, keyOf, (index) => virtualizer.measurementsCache[index]?.start ?? 0);
    const now = virtualizer.scrollElement?.scrollTop ?? 0;
    if (wanted !== undefined && Math.abs(wanted - now) > 1) virtualizer.scrollToOffset(wanted);
  });
}

/** The distance to which a list scrolls when it opens, for the virtualizer. */
export function initialOffsetOf(
  memory: PlaceMemory | undefined,
  count: number,
  keyOf: (index: number) => Key,
  heightOf: (index: number) => number,
): number {
  const place = memory?.last;
  if (place === undefined) return 0;
  const startOf = (end: number) => {
    let start = 0;
    for (let index = 0; index < end; index += 1) start += heightOf(index);
    return start;
  };
  return offsetOf(place, count, keyOf, startOf) ?? 0;
}

/** Where the list is now. */
function placeOf({ virtualizer, keyOf, active, count, controlsOf }: PlacedList): ListPlace {
  const offset = virtualizer.scrollElement?.scrollTop ?? 0;
  const bottom = offset + (virtualizer.scrollRect?.height ?? 0);
  const visible = virtualizer.getVirtualItems().filter(({ start, end }) => end > offset && start < bottom);
  const control = controlsOf(active).indexOf(document.activeElement as HTMLElement);
  return {
    offset,
    rows: visible.map(({ key, start }) => ({ key: key as Key, top: start - offset })),
    active: { key: active < count ? keyOf(active) : undefined, index: active },
    control: control < 0 ? undefined : control,
  };
}

function indexesOf(count: number, keyOf: (index: number) => Key): ReadonlyMap<Key, number> {
  return new Map(Array.from({ length: count }, (_, index) => [keyOf(index), index]));
}

/** The first visible row that still exists stays where it was. */
function offsetOf(
  { offset, rows }: ListPlace,
  count: number,
  keyOf: (index: number) => Key,
  startOf: (index: number) => number,
): number | undefined {
  // A list that was at its beginning shows what is new there.
  if (offset === 0 || count === 0) return undefined;
  const indexes = indexesOf(count, keyOf);
  for (const { key, top } of rows) {
    const index = indexes.get(key);
    if (index !== undefined) return Math.max(0, startOf(index) - top);
  }
  return offset;
}

/** The row that was active, or the one that has taken its place. */
function indexOfActive({ rows, active }: ListPlace, indexes: ReadonlyMap<Key, number>, count: number): number {
  const from = rows.findIndex(({ key }) => key === active.key);
  const candidates = [active.key, ...(from < 0 ? [] : rows.slice(from + 1).map(({ key }) => key))];
  for (const key of candidates) {
    const index = key === undefined ? undefined : indexes.get(key);
    if (index !== undefined) return index;
  }
  return Math.min(active.index, count - 1);
}
