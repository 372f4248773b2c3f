/** Notifications that the service worker shows: those of the server, and those of the app where a page cannot show any. */
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { keyOf } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { actionsOf, type Conversation, dataOf, type ShowMessage, type ShownOptions } from '../../worker/shown.ts';
import type { App } from '../base/app.tsx';
import { channelName } from '../shown/names.ts';
import { pictureOf } from '../shown/picture.ts';
import { notificationText } from './text.ts';
import { notificationTexts } from './worker-note.ts';

/** Notifications follow what was read at most this often, in milliseconds. */
const PAUSE_MS = 500;

/** Lets the worker notify of a message. It handles the buttons. Nothing happens if the browser has no worker. */
export async function showByWorker(model: Model, record: MessageRecord): Promise<void> {
  const worker = (await activeRegistration())?.active;
  const conversation = conversationOf(model, record);
  const { title, body } = notificationText(model, record);
  const icon = pictureOf(model.users.get(record.senderId));
  const options: ShownOptions = {
    body,
    // One notification per conversation: the newest message replaces the one before.
    tag: `heddle-${keyOf(record.place)}`,
    renotify: true,
    // The app has played the sound that the user chose.
    silent: true,
    timestamp: record.timestamp * 1000,
    actions: actionsOf(conversation, notificationTexts()),
    data: { userId: model.ownId, conversation, messageId: record.id, messageIds: [record.id] },
    ...(icon && { icon }),
  };
  worker?.postMessage({ kind: 'show-notification', title, options } satisfies ShowMessage);
}

/** Closes notifications whose messages are read, for browsers that get no push for that. Returns a function that ends it. */
export function closeReadNotifications({ model, session }: Pick<App, 'model' | 'session'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // What was read elsewhere is unknown without the server.
      if (session.status.state === 'live') closeRead(model).catch(() => undefined);
    }, PAUSE_MS);
  };
  later();
  document.addEventListener('visibilitychange', later);
  const ends = [model.unread.changes.subscribe(later), session.statusChanges.subscribe(later)];
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', later);
    for (const end of ends) end();
  };
}

async function closeRead(model: Model): Promise<void> {
  const registration = await activeRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) {
    const data = dataOf(shown);
    // A push can be faster than the events of the app.
    const isRead = (id: number) => id <= model.maxMessageId && !model.unread.has(id);
    if (data !== undefined && data.reply === undefined && data.messageIds.every(isRead)) shown.close();
  }
}

async function activeRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const registration = await workers?.getRegistration();
  return registration?.active ? registration : undefined;
}

function conversationOf(model: Model, { place }: MessageRecord): Conversation {
  if (place.kind === 'topic') {
    const { channelId, topic } = place;
    return { kind: 'channel', channel_id: channelId, channel_name: channelName(model, channelId), topic };
  }
  const participants = new Set([...place.userIds, model.ownId]);
  return { kind: 'direct', user_ids: [...participants].sort((a, b) => a - b) };
}
