import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import { directPlace } from '@heddle/client/model/messages/places.ts';
import { linkTo, sourceOf } from '../../actions/copying.ts';
import type { App } from '../../base/app.tsx';
import { holdKeysDuring } from '../../base/held-keys.ts';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { composeStore } from '../../compose/compose-store.ts';
import { problemText } from '../../shown/problem-text.ts';
import { quoteOf, silentMention } from './quote-text.ts';

export function reply({ place }: MessageRecord): void {
  composeStore.open({ place });
}

export function replyDirectly({ model }: App, { senderId }: MessageRecord): void {
  composeStore.open({ place: directPlace([senderId], model.ownId) });
}

export function replyWithMention({ model }: App, { place, senderId, senderName }: MessageRecord): void {
  const name = model.users.get(senderId)?.name ?? senderName;
  composeStore.open({ place });
  composeStore.insert(`@**${name}|${senderId}** `);
}

/** Opens the compose box with the message as a quote. */
export async function quote(app: App, record: MessageRecord): Promise<void> {
  const text = await fetchQuote(app, record);
  if (text === undefined) return;
  composeStore.open({ place: record.place });
  composeStore.insert(text);
}

/** The same, and the user chooses where it goes. */
export async function forward(app: App, record: MessageRecord): Promise<void> {
  const content = await fetchQuote(app, record);
  const place: Place | undefined = undefined;
  if (content !== undefined) composeStore.open({ place, content });
}

async function fetchQuote(app: App, record: MessageRecord): Promise<string | undefined> {
  const { model } = app;
  const name = model.users.get(record.senderId)?.name ?? record.senderName;
  try {
    // The user already writes what follows the quote.
    const content = await holdKeysDuring(window, () => sourceOf(app, record.id));
    return quoteOf(content, silentMention(name, record.senderId), linkTo(app, record.place, record.id), t('said'));
  } catch (error) {
    const text = t('The message cannot be quoted. {problem}', { problem: problemText(error) });
    toasts.show({ text, kind: 'error', key: 'quote' });
    return undefined;
  }
}
