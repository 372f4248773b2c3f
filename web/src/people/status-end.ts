/**
 * When the own status ends. The API has no end of a status at this feature level, so the browser stores it. The app clears the status at
 * that time, or when it opens later.
 */
import type { StatusRecord } from '@heddle/client/model/people/statuses.ts';
import { accountKey } from '../base/account-storage.ts';

/** The status and its end. Another status, for example of another device, has no end. */
interface StoredEnd {
  readonly status: string;
  readonly at: number;
}

/** The end of this status. Undefined if the user has set none in this browser. */
export function statusEnd(userId: number, status: StatusRecord | undefined): Date | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(accountKey(userId, 'status-end')) ?? 'null');
    return isEnd(stored) && stored.status === textOf(status) ? new Date(stored.at) : undefined;
  } catch {
    return undefined;
  }
}

/** Forgets an end that has passed and belongs to another status. If the user sets that status again, it has no end. */
export function forgetPastEnd(userId: number, status: StatusRecord | undefined, now: number): void {
  try {
    const key = accountKey(userId, 'status-end');
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (isEnd(stored) && stored.at <= now && stored.status !== textOf(status)) localStorage.removeItem(key);
  } catch {
    // Without storage, there is no end.
  }
}

/** @param end undefined if the status has none */
export function setStatusEnd(userId: number, status: StatusRecord, end: Date | undefined): void {
  try {
    const key = accountKey(userId, 'status-end');
    if (end === undefined) {
      localStorage.removeItem(key);
      return;
    }
    const stored: StoredEnd = { status: textOf(status), at: end.getTime() };
    localStorage.setItem(key, JSON.stringify(stored));
  } catch {
    // Without storage, the status stays until the user clears it.
  }
}

function textOf(status: StatusRecord | undefined): string {
  return JSON.stringify([status?.text ?? '', status?.emoji?.type ?? '', status?.emoji?.code ?? '']);
}

function isEnd(value: unknown): value is StoredEnd {
  return typeof value === 'object' && value !== null && 'status' in value && Number.isFinite((value as StoredEnd).at);
}
