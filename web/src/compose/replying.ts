import { getMessage } from '@heddle/client/calls/operations.ts';
import type { MessageRecord } from '@heddle/client/model/message-record.ts';
import { narrowOfPlace } from '@heddle/client/model/narrow.ts';
import type { Place } from '@heddle/client/model/places.ts';
import { toasts } from '../design/toasts.ts';
import type { App } from '../shell/app.tsx';
import { composeStore } from './compose-store.ts';
import { problemOf } from './problems.ts';
import { quoteOf } from './quotes.ts';

/** Writes to the conversation of a message. */
export function replyTo({ place }: Pick<MessageRecord, 'place'>): void {
  composeStore.open({ place });
}

/**
 * Writes to the conversation of a message and quotes it.
 * @param into where to write; default: the conversation of the message
 */
export async function quoteMessage(app: App, record: MessageRecord, into: Place = record.place): Promise<void> {
  composeStore.open({ place: into });
  try {
    const parameters = { message_id: record.id, apply_markdown: false, allow_empty_topic_name: true };
    const { message } = await getMessage(app.connection, parameters);
    const narrow = [...narrowOfPlace(record.place, app.model.ownId), { operator: 'near', operand: record.id }];
    const url = app.connection.url.replace(/\/$/, '') + '/' + app.navigation.hashOf({ view: 'narrow', narrow });
    const isAmbiguous = app.model.users.byName(record.senderName).length > 1;
    const name = isAmbiguous ? `${record.senderName}|${record.senderId}` : record.senderName;
    composeStore.insert(`${quoteOf(name, url, message.content)}\n`);
  } catch (error) {
    toasts.show({ kind: 'error', text: problemOf(error) });
  }
}
