import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { RecentConversation } from '@heddle/client/model/messages/recent.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { Archive } from '@heddle/client/session/archive.ts';
import type { App } from '../base/app.tsx';
import { isInterrupted } from './offline-places.ts';

/** The entry of the archive. */
const ENTRY = 'recent';

/** How many conversations are stored, the newest ones. */
const MAX_CONVERSATIONS = 200;

let saved: readonly RecentConversation[] | undefined;

/** Stores the list of recent conversations, if it has changed. */
export async function saveRecent({ cache: { recent } }: Model, archive: Archive): Promise<void> {
  const list = recent.list();
  if (recent.state !== 'ready' || recent.isStale || list === saved) return;
  saved = list;
  await archive.saveEntry(ENTRY, list.slice(0, MAX_CONVERSATIONS));
}

/** Shows the list as it was stored, until the server responds. Then it is loaded. */
export async function fillRecent(app: App, archive: Archive): Promise<void> {
  const { recent } = app.model.cache;
  if (recent.state === 'ready' || recent.state === 'loading' || recent.list().length > 0) return;
  const stored = await archive.loadEntry(ENTRY);
  if (!Array.isArray(stored) || !isInterrupted(app)) return;
  // A list that was never loaded takes no messages.
  await recent.load();
  if (recent.state !== 'failed' || recent.list().length > 0) return;
  const { channels } = app.model;
  for (const conversation of (stored as readonly RecentConversation[]).toReversed()) {
    const { place } = conversation;
    if (place.kind === 'direct' || channels.get(place.channelId) !== undefined) recent.receive(newestOf(conversation));
  }
  const end = app.session.statusChanges.subscribe(() => {
    if (app.session.status.state !== 'live') return;
    end();
    void recent.load();
  });
}

/** The newest message, as far as the list knows it. */
function newestOf({ place, maxId, timestamp, last }: RecentConversation): MessageRecord {
  const { senderId, html: content, isMe } = last;
  return { id: maxId, place, timestamp, senderId, content, isMe } as MessageRecord;
}
