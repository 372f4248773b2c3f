import { isApiError, isTemporary } from '../../calls/errors.ts';
import type { Message } from '../../calls/types.ts';
import type { Narrow } from './narrow.ts';

/** How many messages a request before or after a known one returns. */
const PAGE_SIZE_MESSAGES = 100;

/** How many messages a window opens with, before and after its anchor. The first ones fill a screen. */
const FIRST_PAGE_SIZE_MESSAGES = 50;

/** The most messages of a window. Those at the other end of what the user looks at are dropped. */
export const MAX_MESSAGES = 2_000;

/** Where a page of messages begins. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread';

export interface PageQuery {
  readonly narrow: Narrow;
  readonly anchor: Anchor;
  /** The anchor is the first message since then, in ISO 8601, or else `anchor`, which must be the newest one. */
  readonly since?: string;
  readonly before: number;
  readonly after: number;
  readonly includeAnchor: boolean;
}

export interface Page {
  readonly messages: readonly Message[];
  /** The id that the anchor stood for. It exceeds all ids if there was no such message. */
  readonly anchor: number;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

export interface PageFetcher {
  readonly page: (query: PageQuery) => Promise<Page>;
  readonly byIds: (ids: readonly number[]) => Promise<readonly Message[]>;
  readonly matching: (ids: readonly number[], narrow: Narrow) => Promise<readonly number[]>;
  /** Resolves when another attempt makes sense after a failure. */
  readonly untilRetry: (attempt: number) => Promise<void>;
}

/** The messages around an anchor, which is one of them. */
export function queryAround(narrow: Narrow, anchor: Anchor): PageQuery {
  return { narrow, anchor, before: FIRST_PAGE_SIZE_MESSAGES, after: FIRST_PAGE_SIZE_MESSAGES, includeAnchor: true };
}

export function queryBefore(narrow: Narrow, id: number): PageQuery {
  return { narrow, anchor: id, before: PAGE_SIZE_MESSAGES, after: 0, includeAnchor: false };
}

export function queryAfter(narrow: Narrow, id: number): PageQuery {
  return { narrow, anchor: id, before: 0, after: PAGE_SIZE_MESSAGES, includeAnchor: false };
}

/** About the range that is loaded now. */
export function queryOfRange({ narrow, ids, foundNewest }: LoadedRange): PageQuery {
  const size = Math.min(Math.max(ids.length, FIRST_PAGE_SIZE_MESSAGES), MAX_MESSAGES);
  const middle = ids[Math.floor(ids.length / 2)];
  return foundNewest || middle === undefined
    ? { narrow, anchor: 'newest', before: size, after: 0, includeAnchor: true }
    : { narrow, anchor: middle, before: size >> 1, after: size >> 1, includeAnchor: true };
}

interface LoadedRange {
  readonly narrow: Narrow;
  readonly ids: readonly number[];
  readonly foundNewest: boolean;
}

/** Whether another attempt at the same request would be refused again. */
export function isRefused(error: unknown): boolean {
  return isApiError(error) && !isTemporary(error);
}
