import { Subject } from '@heddle/client/model/changes.ts';
import { keyOfNarrow, type Narrow } from '@heddle/client/model/messages/narrow.ts';
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

/** Changes between the orders of the results. */
export const sortShortcut = defineShortcut({
  id: 'search.sort',
  keys: ['Alt+R'],
  label: msg('Results of a search by date or by relevance'),
  group: 'reading',
});

/** Notified when the results of a search get another order. */
export const orderChanges = new Subject();

/** The keys of the narrows that are shown by relevance, until the page ends. */
const byRelevance = new Set<string>();

/** Whether the results are shown by relevance, and not by date. */
export function isByRelevance(narrow: Narrow): boolean {
  return byRelevance.has(keyOfNarrow(narrow));
}

export function setByRelevance(narrow: Narrow, isOn: boolean): void {
  if (isOn) byRelevance.add(keyOfNarrow(narrow));
  else byRelevance.delete(keyOfNarrow(narrow));
  orderChanges.changed();
}

/** Whether the narrow has words that messages can match more or less. */
export function canRank(narrow: Narrow): boolean {
  return narrow.some(({ operator, negated }) => operator === 'search' && !negated);
}
