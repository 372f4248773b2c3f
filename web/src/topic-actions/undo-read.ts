import { isApiError } from '@heddle/client/calls/errors.ts';
import { updateMessageFlags } from '@heddle/client/calls/operations.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import type { UnreadGroup } from '@heddle/client/model/messages/unread.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { problemText } from '../shown/problem-text.ts';

/** Messages that were marked as read together. */
export interface MarkedTogether {
  /** Those that the client knew, by conversation. */
  readonly known: readonly UnreadGroup[];
  /** The ids of the older ones that only the server knew. It resolves when the server has marked them. */
  readonly older: Promise<readonly number[]>;
  /** Marks no further older messages. */
  readonly stop: () => void;
}

/** How many messages one request restores. The server commits them in parts. */
const BATCH_SIZE_MESSAGES = 5_000;

/** How often a request is repeated when the network or the server fails. */
const MAX_RETRIES = 4;

/** Marks exactly those messages as unread that were unread before: at once here, then on the server. */
export async function markUnreadAgain(app: App, marked: MarkedTogether): Promise<void> {
  marked.stop();
  showUnread(app, marked);
  try {
    await restoreUnread(app, [...marked.known.flatMap((group) => [...group.ids]), ...(await marked.older)]);
  } catch (error) {
    const text = t('Not everything could be marked as unread. {problem}', { problem: problemText(error) });
    const again = { label: t('Try again'), run: () => void markUnreadAgain(app, marked) };
    toasts.show({ text, kind: 'error', action: again, key: 'mark unread' });
  }
}

/**
 * Marks messages as unread on the server. Some can have been deleted.
 * @throws NetworkError and other errors of a call
 */
export async function restoreUnread(app: App, ids: readonly number[]): Promise<void> {
  // Marks as read that are on their way would come after this.
  await app.model.cache.marks.flush();
  const once = [...new Set(ids)].sort((a, b) => a - b);
  for (let start = 0; start < once.length; start += BATCH_SIZE_MESSAGES) {
    await restore(app, once.slice(start, start + BATCH_SIZE_MESSAGES));
  }
}

/** The server refuses a request that names a deleted message. Then each half is tried alone. */
async function restore(app: App, messages: readonly number[]): Promise<void> {
  try {
    const request = { messages: [...messages], op: 'remove', flag: 'read' } as const;
    await updateMessageFlags(app.connection, request, { retries: MAX_RETRIES });
  } catch (error) {
    if (!isApiError(error) || error.code !== 'BAD_REQUEST') throw error;
    if (messages.length <= 1) return;
    const middle = messages.length / 2;
    await restore(app, messages.slice(0, middle));
    await restore(app, messages.slice(middle));
  }
}

/** Applies the change before the server confirms it. */
function showUnread({ model }: App, { known }: MarkedTogether): void {
  const details = known.flatMap(({ place, ids, mentions }) =>
    [...ids].map((id) => [String(id), { ...detailsOf(place), mentioned: mentions.has(id) }] as const),
  );
  model.apply({
    id: -1,
    type: 'update_message_flags',
    op: 'remove',
    operation: 'remove',
    flag: 'read',
    messages: details.map(([id]) => Number(id)),
    all: false,
    message_details: Object.fromEntries(details),
  });
}

function detailsOf(place: Place) {
  return place.kind === 'topic'
    ? { type: 'stream' as const, stream_id: place.channelId, topic: place.topic, unmuted_stream_msg: false }
    : { type: 'private' as const, user_ids: [...place.userIds] };
}
