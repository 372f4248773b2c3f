import type { EventOfType, InitialState, NavigationView } from '../../calls/types.ts';
import { Subject } from '../changes.ts';

/** A built-in view whose place the user changed, or a view of the user's own. */
export interface NavigationViewRecord {
  /** The part of the URL after `#`. */
  readonly fragment: string;
  /** True: in the sidebar. False: in the menu. */
  readonly isPinned: boolean;
  /** Null for built-in views. */
  readonly name: string | null;
}

/**
 * Where the user wants to see which views.
 *
 * Invariant: fragments are unique. Built-in views without a record have the place that the app gives them.
 */
export class NavigationViews {
  readonly changes = new Subject();
  /** By fragment, in the order of their creation. */
  #views: ReadonlyMap<string, NavigationViewRecord>;

  constructor(state: InitialState) {
    this.#views = new Map((state.navigation_views ?? []).map((view) => [view.fragment, viewRecord(view)]));
  }

  get all(): ReadonlyMap<string, NavigationViewRecord> {
    return this.#views;
  }

  /** Whether a view is in the sidebar. Undefined if the user did not choose. */
  isPinned(fragment: string): boolean | undefined {
    return this.#views.get(fragment)?.isPinned;
  }

  apply(event: EventOfType<'navigation_view'>): void {
    const views = new Map(this.#views);
    if (event.op === 'add') views.set(event.navigation_view.fragment, viewRecord(event.navigation_view));
    else if (event.op === 'remove') views.delete(event.fragment);
    else {
      const before = views.get(event.fragment);
      const { is_pinned: isPinned, name } = event.data;
      if (before !== undefined) {
        views.set(event.fragment, {
          ...before,
          ...(isPinned !== undefined && { isPinned }),
          ...(name !== undefined && { name }),
        });
      }
    }
    this.#views = views;
    this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    return [...this.#views.values()].sort((a, b) => (a.fragment < b.fragment ? -1 : 1));
  }
}

function viewRecord({ fragment, is_pinned: isPinned, name }: NavigationView): NavigationViewRecord {
  return { fragment, isPinned, name };
}
