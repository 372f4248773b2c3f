import { Subject } from '@heddle/client/model/changes.ts';
import type { IdsForHash, NamesForHash } from '@heddle/client/model/narrow-hash.ts';
import { hashOf, type Route, routeOf } from './routes.ts';

/** A place in a list: the first visible row, and how many pixels of it are above the edge. */
export interface ScrollPosition {
  readonly rowId: number | string;
  readonly offset: number;
}

/** How many positions are remembered. */
const MAX_POSITIONS = 200;

/**
 * The route that the app shows. It follows the fragment of the URL. Each entry of the browser's history remembers where
 * its list was scrolled, so that back and forward restore it.
 */
export class Navigation {
  readonly changes = new Subject();
  /** Changes when the app goes to a view, also if it shows that view already. */
  readonly visits = new Subject();
  readonly #lookups: IdsForHash & NamesForHash;
  readonly #home: () => Route;
  readonly #positions = new Map<string, ScrollPosition>();
  #route: Route;
  #entry: string;

  /** @param home the view of the empty fragment */
  constructor(lookups: IdsForHash & NamesForHash, home: () => Route) {
    this.#lookups = lookups;
    this.#home = home;
    this.#entry = entryOfHistory();
    this.#route = this.#read();
    window.addEventListener('popstate', this.#follow);
    window.addEventListener('hashchange', this.#follow);
  }

  get route(): Route {
    return this.#route;
  }

  /** Identifies the current entry of the history. */
  get entry(): string {
    return this.#entry;
  }

  hashOf(route: Route): string {
    return hashOf(route, this.#lookups);
  }

  /** Shows a route. The browser's back button leads to the one before. */
  go(route: Route): void {
    const hash = this.hashOf(route);
    this.visits.changed();
    if (hash === window.location.hash) return;
    this.#entry = newEntry();
    history.pushState({ entry: this.#entry }, '', hash);
    this.#route = route;
    this.changes.changed();
  }

  /** The same without a new entry in the history, for example after a topic was renamed. */
  replace(route: Route): void {
    // A column that covers the view stays.
    history.replaceState({ ...history.state, entry: this.#entry }, '', this.hashOf(route));
    this.#route = route;
    this.changes.changed();
  }

  goHome(): void {
    this.go(this.#home());
  }

  savePosition(position: ScrollPosition): void {
    this.#positions.delete(this.#entry);
    this.#positions.set(this.#entry, position);
    const [oldest] = this.#positions.keys();
    if (this.#positions.size > MAX_POSITIONS && oldest !== undefined) this.#positions.delete(oldest);
  }

  /** Where the list of the current entry was scrolled, if the user has been here. */
  position(): ScrollPosition | undefined {
    return this.#positions.get(this.#entry);
  }

  stop(): void {
    window.removeEventListener('popstate', this.#follow);
    window.removeEventListener('hashchange', this.#follow);
  }

  readonly #follow = (): void => {
    const entry = entryOfHistory();
    if (entry === this.#entry && this.hashOf(this.#route) === window.location.hash) return;
    this.#entry = entry;
    this.#route = this.#read();
    this.changes.changed();
  };

  #read(): Route {
    return routeOf(window.location.hash, this.#lookups) ?? this.#home();
  }
}

/** The entry of the history that the browser shows. A link or an edited URL makes one without a name. */
function entryOfHistory(): string {
  const state: unknown = history.state;
  if (typeof state === 'object' && state !== null && 'entry' in state && typeof state.entry === 'string') {
    return state.entry;
  }
  const entry = newEntry();
  history.replaceState({ entry }, '');
  return entry;
}

function newEntry(): string {
  return crypto.randomUUID();
}
