import { Subject } from '@heddle/client/model/changes.ts';
import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import { msg } from '../base/i18n.ts';
import { defineShortcut } from '../base/keyboard.ts';

export const searchShortcut = defineShortcut({
  id: 'search.open',
  keys: ['/'],
  label: msg('Search'),
  group: 'navigation',
});

/** Notified when the search opens or closes. */
export const searchChanges = new Subject();

let opened: Narrow | undefined;

/** What the search begins with, or undefined while it is closed. */
export function openedSearch(): Narrow | undefined {
  return opened;
}

/** Opens the search. Any part of the app can call this; `SearchLayer` shows it. */
export function openSearch(terms: Narrow = []): void {
  opened = terms;
  searchChanges.changed();
}

export function closeSearch(): void {
  opened = undefined;
  searchChanges.changed();
}

/** How many searches are remembered until the page ends. */
const MAX_RECENT_SEARCHES = 6;

let recent: readonly Narrow[] = [];

/** The searches of this page, the last one first. */
export function recentSearches(): readonly Narrow[] {
  return recent;
}

export function rememberSearch(terms: Narrow): void {
  const key = JSON.stringify(terms);
  recent = [terms, ...recent.filter((one) => JSON.stringify(one) !== key)].slice(0, MAX_RECENT_SEARCHES);
}
