import { getMessage } from '@heddle/client/calls/operations.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { problemText } from '../shown/problem-text.ts';

/** The address of a conversation, or of a message in it. */
export function linkTo({ model, navigation }: App, place: Place, messageId?: number): string {
  const narrow = narrowOfPlace(place, model.ownId);
  const near = messageId === undefined ? [] : [{ operator: 'near', operand: messageId }];
  return `${window.location.origin}/${navigation.hashOf({ view: 'narrow', narrow: [...narrow, ...near] })}`;
}

/**
 * The Markdown source of a message.
 * @throws ApiError, NetworkError
 */
export async function sourceOf({ connection }: Pick<App, 'connection'>, messageId: number): Promise<string> {
  const { message } = await getMessage(connection, {
    message_id: messageId,
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  return message.content;
}

/** Puts a text into the clipboard. A promise keeps the permission of the click that Safari demands. */
export async function copy(text: string | Promise<string>, copied: string): Promise<void> {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text);
    else {
      const blob = text.then((value) => new Blob([value], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    }
    toasts.show({ text: copied, key: 'copied' });
  } catch (error) {
    const isRefused = error instanceof DOMException;
    const problem = isRefused ? t('The browser does not allow it.') : problemText(error);
    toasts.show({ text: t('Nothing was copied. {problem}', { problem }), kind: 'error', key: 'copied' });
  }
}

export function copyLink(app: App, { place, id }: MessageRecord): void {
  void copy(linkTo(app, place, id), t('Link copied'));
}

export function copySource(app: App, { id }: MessageRecord): void {
  void copy(sourceOf(app, id), t('Text copied'));
}
