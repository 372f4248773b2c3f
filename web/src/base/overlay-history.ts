/**
 * The browser's back button closes what covers the app: dialogs, sheets, the lightbox. Each has an entry of the history above
 * the entry of its view. Closed in another way, it leaves its entry behind: the next overlay uses that entry, a view replaces
 * it, and the back button skips it. So closing never waits for the browser, and a view can follow at once.
 */
import { useEffect, useEffectEvent } from 'react';
import { entryState, pushEntry, seeEntry } from './history-entries.ts';

type Close = () => void;

/** Closes each open overlay, the uppermost last. */
let open: readonly Close[] = [];

/** The back button closes the overlay of this component while it is open. */
export function useBackCloses(isOpen: boolean, close: Close): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const own: Close = () => closeNow();
    open = [...open, own];
    if (open.length > overlaysOfEntry()) pushEntry({ ...entryState(), overlays: open.length });
    return () => {
      open = open.filter((one) => one !== own);
    };
  }, [isOpen]);
}

/** Closes each open menu and card. These have no entries of their own, because they belong to an element of the view. */
const floating = new Set<Close>();

/** Closes the component when the app shows another view, because the element beside it is gone. */
export function useClosesWithView(isOpen: boolean, close: Close): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const own: Close = () => closeNow();
    floating.add(own);
    return () => void floating.delete(own);
  }, [isOpen]);
}

export function closeFloating(): void {
  for (const close of [...floating]) close();
}

/** How many overlays can be open at the current entry of the history. */
export function overlaysOfEntry(): number {
  return entryState().overlays ?? 0;
}

/** Closes the overlays that cannot be open at the entry that the browser shows now. */
export function followHistory(): void {
  const before = seeEntry();
  const now = entryState();
  const isSameView = before.entry !== undefined && before.entry === now.entry;
  const left = isSameView ? overlaysOfEntry() : 0;
  const closing = open.slice(left).reverse();
  for (const close of closing) close();
  const wasClosedBefore = isSameView && left < (before.overlays ?? 0) && closing.length === 0;
  if (wasClosedBefore) history.back();
}
