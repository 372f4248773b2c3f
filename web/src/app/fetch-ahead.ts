import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import type { UnreadGroup } from '@heddle/client/model/messages/unread.ts';
import type { Archive } from '@heddle/client/session/archive.ts';
import type { App } from '../base/app.tsx';
import { channelOf, keyOfConversation } from './offline-places.ts';

/** The most that is fetched ahead in an hour. */
const MAX_AHEAD_BYTES = 5 * 1024 * 1024;
const HOUR_MS = 60 * 60_000;

/** How many conversations are fetched at a time, one after the other. */
const MAX_CONVERSATIONS = 40;

/** How many messages of a conversation: the unread ones, with some before them. */
const MAX_MESSAGES = 100;
const MAX_READ_MESSAGES = 10;

/** The browser is busy for at most this long, in milliseconds. */
const MAX_IDLE_WAIT_MS = 10_000;

let spentSince = 0;
let spentBytes = 0;
let isRunning = false;

/**
 * Fetches the unread conversations that this browser does not have, the newest first, so that they can be read without a network. Their text only:
 * pictures and files load when somebody looks at them. One tab does so, when the browser is idle and the user does not save data.
 */
export async function fetchAhead(app: App, archive: Archive, isEnded: () => boolean): Promise<void> {
  const { model, session } = app;
  const mayFetch = () =>
    !isEnded() && session.isLeader && session.status.state === 'live' && !savesData() && spent() < MAX_AHEAD_BYTES;
  if (isRunning || !mayFetch()) return;
  isRunning = true;
  try {
    for (const { place, ids } of await missing(app, archive)) {
      await untilIdle();
      if (!mayFetch()) return;
      const count = Math.min(ids.size + MAX_READ_MESSAGES, MAX_MESSAGES);
      const records = await model.cache.newestMatches(narrowOfPlace(place, model.ownId), count);
      spentBytes += JSON.stringify(records).length;
      const range = { records, foundOldest: records.length < count, foundNewest: true };
      await archive.save(keyOfConversation(place, model.ownId), channelOf(place), range);
    }
  } finally {
    isRunning = false;
  }
}

/** The conversations whose newest unread message is neither stored nor loaded. */
async function missing({ model }: App, archive: Archive): Promise<readonly UnreadGroup[]> {
  const stored = new Map((await archive.list()).map(({ key, last }) => [key, last]));
  return [...model.unread.groups()]
    .filter(({ place }) => place.kind === 'direct' || !model.isTopicMuted(place.channelId, place.topic))
    .map((group) => ({ group, newest: newestOf(group) }))
    .filter(
      ({ group: { place }, newest }) =>
        (stored.get(keyOfConversation(place, model.ownId)) ?? 0) < newest &&
        model.cache.messages.get(newest) === undefined,
    )
    .sort((a, b) => b.newest - a.newest)
    .slice(0, MAX_CONVERSATIONS)
    .map(({ group }) => group);
}

function newestOf({ ids }: UnreadGroup): number {
  let newest = 0;
  for (const id of ids) newest = Math.max(newest, id);
  return newest;
}

function spent(): number {
  if (Date.now() - spentSince > HOUR_MS) {
    spentSince = Date.now();
    spentBytes = 0;
  }
  return spentBytes;
}

function savesData(): boolean {
  return (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true;
}

/** Safari has no `requestIdleCallback`. */
function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: MAX_IDLE_WAIT_MS });
    else setTimeout(resolve, 100);
  });
}
