/** The searches that this browser remembers for the account. A logout forgets them. */
import type { Narrow, Term } from '@heddle/client/model/messages/narrow.ts';
import { accountKey, writeLocal } from '../base/account-storage.ts';

const MAX_RECENT_SEARCHES = 6;

function keyOf(userId: number): string {
  return accountKey(userId, 'searches');
}

/** The last one first. */
export function recentSearches(userId: number): readonly Narrow[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isNarrow).slice(0, MAX_RECENT_SEARCHES) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(userId: number, terms: Narrow): void {
  const text = JSON.stringify(terms);
  const others = recentSearches(userId).filter((one) => JSON.stringify(one) !== text);
  writeLocal(keyOf(userId), JSON.stringify([terms, ...others].slice(0, MAX_RECENT_SEARCHES)));
}

export function forgetSearches(userId: number): void {
  writeLocal(keyOf(userId), undefined);
}

/** Another version of the app can have stored them. */
function isNarrow(value: unknown): value is Narrow {
  return Array.isArray(value) && value.length > 0 && value.every(isTerm);
}

function isTerm(value: unknown): value is Term {
  if (typeof value !== 'object' || value === null) return false;
  const { operator, operand } = value as Partial<Record<keyof Term, unknown>>;
  const isOperand =
    typeof operand === 'string' ||
    typeof operand === 'number' ||
    (Array.isArray(operand) && operand.every((id) => typeof id === 'number'));
  return typeof operator === 'string' && isOperand;
}
