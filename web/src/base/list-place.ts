import { useState } from 'react';
import { useApp } from './app.tsx';

/** Where a list was when the user left it. */
export interface ListPlace {
  /** How many pixels were above the upper edge. */
  readonly offset: number;
  /** The rows that were visible, from the top. `top` is the distance in pixels from the upper edge of the list. */
  readonly rows: readonly { readonly key: string | number; readonly top: number }[];
  /** The row in the tab order. */
  readonly active: { readonly key: string | number | undefined; readonly index: number };
  /** Which control of that row had the focus. Undefined if the focus was elsewhere. */
  readonly control: number | undefined;
}

/** Remembers the place of a list. */
export interface PlaceMemory {
  /** The place that the list has to return to, until the user does something. */
  last: ListPlace | undefined;
  /** Calls `read` when the user leaves the list. Returns a function that ends this. */
  readonly onLeave: (read: () => ListPlace) => () => void;
}

/**
 * The memory of a list in the current entry of the history. So the back button leads to the same rows and the same focus.
 * @param name unique in its view
 */
export function useListPlace(name: string): PlaceMemory {
  const { navigation } = useApp();
  const [memory] = useState(
    (): PlaceMemory => ({
      last: navigation.kept<ListPlace>(name),
      onLeave(read) {
        return navigation.onLeave(() => {
          const last = read();
          this.last = last;
          navigation.keep(name, last);
        });
      },
    }),
  );
  return memory;
}

/**
 * A state that is there again when the user comes back to the entry of the history. An example is the text of a filter.
 * @param name unique in its view
 */
export function useEntryState<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const { navigation } = useApp();
  const [value, setValue] = useState(() => navigation.kept<Value>(name) ?? initial);
  const change = (now: Value) => {
    navigation.keep(name, now);
    setValue(now);
  };
  return [value, change];
}
