import type { ServerEvent } from '@heddle/client/calls/types.ts';
import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import { placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { Archive, ArchivedRange } from '@heddle/client/session/archive.ts';
import type { App } from '../base/app.tsx';
import { fetchAhead } from './fetch-ahead.ts';
import { channelOf, isInterrupted, keyOfConversation } from './offline-places.ts';
import { fillRecent, saveRecent } from './offline-recent.ts';

/** How often the app stores what it has loaded, in milliseconds. */
const SAVE_EVERY_MS = 10_000;

/** How often the app looks for unread conversations that it does not have, in milliseconds. */
const FETCH_EVERY_MS = 10 * 60_000;

/** How many messages of a conversation are stored, from the newest. */
const MAX_MESSAGES = 100;

/**
 * Stores conversations for a start without a network, and shows them then. Only an app with a service worker can start so. Returns a function
 * that ends this.
 */
export function followArchive(app: App, archive: Archive): () => void {
  const { model, navigation, session } = app;
  const saved = new WeakMap<MessageWindow, readonly unknown[]>();
  let isEnded = false;
  const canStartOffline = () => !isEnded && navigator.serviceWorker?.controller != null;

  // Without storage, the app works as long as there is a network.
  const run = (act: () => Promise<unknown>) => void act().catch(() => undefined);
  const save = () => {
    if (!canStartOffline() || session.status.state !== 'live') return;
    run(() => saveWindows(model, archive, saved));
    run(() => saveRecent(model, archive));
  };
  const ahead = () => {
    if (canStartOffline()) run(() => fetchAhead(app, archive, () => isEnded));
  };
  const fill = () => {
    if (isInterrupted(app)) run(() => Promise.all([fillWindow(app, archive), fillRecent(app, archive)]));
  };

  const reader = session.events();
  run(async () => {
    for await (const event of reader) await forgetChanged(event, archive);
  });
  let wasLive = session.status.state === 'live';
  const ends = [
    navigation.changes.subscribe(fill),
    session.statusChanges.subscribe(() => {
      const isLive = session.status.state === 'live';
      if (isLive && !wasLive) ahead();
      wasLive = isLive;
      fill();
    }),
  ];
  const leave = () => {
    if (document.visibilityState === 'hidden') save();
  };
  document.addEventListener('visibilitychange', leave);
  const timers = [setInterval(save, SAVE_EVERY_MS), setInterval(ahead, FETCH_EVERY_MS)];
  run(() => forgetLost(model, archive));
  // The worker of a first visit comes into control later.
  navigator.serviceWorker?.addEventListener('controllerchange', ahead);
  ahead();
  fill();
  return () => {
    isEnded = true;
    void reader.return();
    for (const end of ends) end();
    for (const timer of timers) clearInterval(timer);
    document.removeEventListener('visibilitychange', leave);
    navigator.serviceWorker?.removeEventListener('controllerchange', ahead);
  };
}

/** Stores the conversations that are loaded and have changed. */
async function saveWindows(model: Model, archive: Archive, saved: WeakMap<MessageWindow, readonly unknown[]>) {
  const { cache, ownId } = model;
  for (const window of [...cache.windows.loaded()]) {
    const place = placeOfNarrow(window.narrow, ownId);
    if (place === undefined || window.state !== 'ready' || window.isStale || !window.foundNewest) continue;
    const ids = window.ids.slice(-MAX_MESSAGES);
    const records = ids.flatMap((id) => cache.messages.get(id) ?? []);
    const before = saved.get(window);
    if (before?.length === records.length && records.every((record, index) => record === before[index])) continue;
    saved.set(window, records);
    const foundOldest = window.foundOldest && ids.length === window.ids.length;
    await archive.save(keyOfConversation(place, ownId), channelOf(place), { records, foundOldest, foundNewest: true });
  }
}

/** Shows the conversation of the view as it was stored, until the server responds. */
async function fillWindow(app: App, archive: Archive): Promise<void> {
  const { model, navigation } = app;
  const { route } = navigation;
  const place = route.view === 'narrow' ? placeOfNarrow(route.narrow, model.ownId) : undefined;
  if (route.view !== 'narrow' || place === undefined) return;
  const window = model.cache.windows.of(route.narrow);
  if (window.state === 'ready') return;
  const range = await archive.load(keyOfConversation(place, model.ownId));
  if (range === undefined || (window.state as string) === 'ready' || !isInterrupted(app)) return;
  if (place.kind === 'topic' && model.channels.get(place.channelId) === undefined) return;
  window.restore(presentRecords(model, range), { oldest: range.foundOldest, newest: range.foundNewest });
  window.invalidate();
}

/** What the app knows since then about messages counts. */
function presentRecords({ cache, unread }: Model, { records }: ArchivedRange) {
  return records.map((record) => cache.messages.get(record.id) ?? { ...record, isRead: !unread.has(record.id) });
}

/** Messages were edited, moved or deleted: conversations that have them as they were leave the archive. */
async function forgetChanged(event: ServerEvent, archive: Archive): Promise<void> {
  if (event.type !== 'update_message' && event.type !== 'delete_message') return;
  const changed = new Set('message_ids' in event ? event.message_ids : [event.message_id]);
  const channelId = 'stream_id' in event ? (event.stream_id ?? null) : null;
  const rows = (await archive.list()).filter(
    (row) => row.channelId === channelId && [...changed].some((id) => id >= row.first && id <= row.last),
  );
  const gone = new Set<string>();
  for (const { key } of rows) {
    const range = await archive.load(key);
    if (range?.records.some(({ id }) => changed.has(id))) gone.add(key);
  }
  await archive.drop(gone);
}

/** Conversations of channels that the user cannot see any more leave the archive. */
async function forgetLost({ channels }: Model, archive: Archive): Promise<void> {
  const rows = await archive.list();
  const lost = rows.filter(({ channelId }) => channelId !== null && channels.get(channelId) === undefined);
  await archive.drop(new Set(lost.map(({ key }) => key)));
}
