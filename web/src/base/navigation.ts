import { Subject } from '@heddle/client/model/changes.ts';
import { nearOf } from '@heddle/client/model/messages/narrow.ts';
import type { IdsForHash, NamesForHash } from '@heddle/client/model/messages/narrow-hash.ts';
import { entryState, pushEntry, replaceEntry, seeEntry } from './history-entries.ts';
import { closeFloating, followHistory, overlaysOfEntry } from './overlay-history.ts';
import { hashOf, type Route, routeOf } from './routes.ts';

/** A place in a list: the first visible row, and how many pixels of it are above the edge. */
export interface ScrollPosition {
  readonly rowId: number | string;
  readonly offset: number;
  /** The list was at its end. */
  readonly isAtEnd?: boolean;
}

/** What an entry of the history shows. */
export interface Visit {
  readonly entry: string;
  readonly route: Route;
}

/** How many entries of the history are remembered. */
const MAX_ENTRIES = 200;

const ROOT_VIEWS: ReadonlySet<Route['view']> = new Set(['inbox', 'recent', 'feed']);

/** The name under which a list of messages keeps its position. */
const POSITION = 'position';

/** The name under which an entry keeps where the user came from. */
const CAME_FROM = 'came from';

/**
 * The route that the app shows. It follows the fragment of the URL. Each entry of the browser's history remembers where
 * its lists were scrolled, so that back and forward restore it.
 */
export class Navigation {
  readonly changes = new Subject();
  /** Changes when the app goes to a view, also if it shows that view already. */
  readonly visits = new Subject();
  readonly #lookups: IdsForHash & NamesForHash;
  readonly #home: () => Route;
  /** What the views of each entry keep, by name. */
  readonly #kept = new Map<string, Map<string, unknown>>();
  readonly #leaving = new Set<() => void>();
  /** The present fragments of entries whose route was replaced. */
  readonly #replaced = new Map<string, string>();
  #route: Route;
  #entry: string;

  /** @param home the view of the empty fragment */
  constructor(lookups: IdsForHash & NamesForHash, home: () => Route) {
    this.#lookups = lookups;
    this.#home = home;
    this.#entry = entryOfHistory();
    this.#kept.set(this.#entry, new Map(entryState().kept));
    seeEntry();
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

  /** Where the user was before, if a link or the app led to the current entry. */
  get cameFrom(): Visit | undefined {
    return this.kept(CAME_FROM);
  }

  /** Shows a route. The browser's back button leads to the one before. A view that is open stays, but it goes to the message of the route. */
  go(route: Route): void {
    this.#go(route, new Map([[CAME_FROM, this.#visit()]]));
  }

  /** Shows what an entry has shown, as the user left it there. The entry may be far away in the history, so this makes a new one. */
  goBackTo({ entry, route }: Visit): void {
    this.#go(route, new Map(this.#kept.get(entry)));
  }

  #visit(): Visit {
    return { entry: this.#entry, route: this.#route };
  }

  #go(route: Route, kept: Map<string, unknown>): void {
    const hash = this.hashOf(route);
    this.visits.changed();
    if (hash === window.location.hash && !leadsToMessage(route)) return;
    this.leave();
    this.#entry = newEntry();
    remember(this.#kept, this.#entry, kept);
    const state = { entry: this.#entry };
    // The view takes the place of the dialog that led to it.
    if (overlaysOfEntry() > 0) replaceEntry(state, hash);
    else pushEntry(state, hash);
    this.#show(route);
  }

  /** The same without a new entry in the history, for example after a topic was renamed. */
  replace(route: Route): void {
    const hash = this.hashOf(route);
    // What covers the view stays. It can have an entry of its own, above one with the previous fragment.
    replaceEntry({ ...entryState(), entry: this.#entry }, hash);
    remember(this.#replaced, this.#entry, hash);
    this.#show(route);
  }

  goHome(): void {
    this.go(this.#home());
  }

  /** Shows what the user saw before. A page that the app has opened with has nothing before it, so this shows the home view. */
  goBack(): void {
    // A column that covers the view has an entry of its own.
    if (this.cameFrom === undefined && entryState().heddleColumn === undefined) this.goHome();
    else history.back();
  }

  /** Whether the bar of a phone leads to this view, so that there is nothing to go back to. */
  get isAtRoot(): boolean {
    return ROOT_VIEWS.has(this.#route.view);
  }

  /** Remembers something of a view, for when the user comes back to the entry. It does not survive a reload of the user. */
  keep(name: string, value: unknown, entry = this.#entry): void {
    const ofEntry = this.#kept.get(entry) ?? new Map<string, unknown>();
    ofEntry.set(name, value);
    remember(this.#kept, entry, ofEntry);
  }

  /** What a view has kept under this name. */
  kept<Value>(name: string, entry = this.#entry): Value | undefined {
    return this.#kept.get(entry)?.get(name) as Value | undefined;
  }

  /** Calls `save` when the user leaves an entry, while its view is still on the page. Returns a function that ends this. */
  onLeave(save: () => void): () => void {
    this.#leaving.add(save);
    return () => void this.#leaving.delete(save);
  }

  savePosition(position: ScrollPosition): void {
    this.keep(POSITION, position);
  }

  /** Where the list of messages of an entry was scrolled, if the user has been there. */
  position(entry = this.#entry): ScrollPosition | undefined {
    return this.kept(POSITION, entry);
  }

  stop(): void {
    window.removeEventListener('popstate', this.#follow);
    window.removeEventListener('hashchange', this.#follow);
  }

  readonly #follow = (): void => {
    followHistory();
    const isNew = entryState().entry === undefined;
    const entry = entryOfHistory();
    const hash = this.#replaced.get(entry);
    if (hash !== undefined && hash !== window.location.hash) replaceEntry(entryState(), hash);
    if (entry === this.#entry) return;
    this.leave();
    const before = this.#visit();
    this.#entry = entry;
    if (isNew) this.keep(CAME_FROM, before);
    this.#show(this.#read());
  };

  /** Lets the views save their places. Returns what the current entry keeps. */
  leave(): ReadonlyMap<string, unknown> | undefined {
    for (const save of [...this.#leaving]) save();
    return this.#kept.get(this.#entry);
  }

  #show(route: Route): void {
    closeFloating();
    this.#route = route;
    this.changes.changed();
  }

  #read(): Route {
    return routeOf(window.location.hash, this.#lookups) ?? this.#home();
  }
}

function leadsToMessage(route: Route): boolean {
  return route.view === 'narrow' && nearOf(route.narrow) !== undefined;
}

/** The entry of the history that the browser shows. A link or an edited URL makes one without a name. */
function entryOfHistory(): string {
  const known = entryState().entry;
  if (known !== undefined) return known;
  const entry = newEntry();
  replaceEntry({ entry });
  return entry;
}

function remember<Value>(values: Map<string, Value>, entry: string, value: Value): void {
  values.delete(entry);
  values.set(entry, value);
  const [oldest] = values.keys();
  if (values.size > MAX_ENTRIES && oldest !== undefined) values.delete(oldest);
}

function newEntry(): string {
  return crypto.randomUUID();
}
