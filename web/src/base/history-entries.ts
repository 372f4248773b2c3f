/** The entries that the app makes in the browser's history, and what they contain. */

export interface EntryState {
  /** Identifies the view. Entries of what covers a view have the id of the view. */
  readonly entry?: string;
  /** The column that covers the feed. */
  readonly heddleColumn?: 'left' | 'right';
  /** How many overlays can be open. */
  readonly overlays?: number;
  /** What the views keep, while the app loads itself again. */
  readonly kept?: ReadonlyMap<string, unknown> | undefined;
}

/** The state of the entry that the app made or saw last. */
let seen: EntryState = {};

/** The state of the current entry. A link or an edited URL makes an entry without one. */
export function entryState(): EntryState {
  return (history.state as EntryState | null) ?? {};
}

export function pushEntry(state: EntryState, hash = window.location.hash): void {
  history.pushState(state, '', hash);
  seen = state;
}

export function replaceEntry(state: EntryState, hash = window.location.hash): void {
  history.replaceState(state, '', hash);
  seen = state;
}

/** Notes which entry the browser shows now. Returns the state of the one before. */
export function seeEntry(): EntryState {
  const before = seen;
  seen = entryState();
  return before;
}
