import { Subject } from '@heddle/client/model/changes.ts';
import type { Narrow } from '@heddle/client/model/narrow.ts';
import { msg } from '../shell/i18n.ts';
import { defineShortcut } from '../shell/keyboard.ts';

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
