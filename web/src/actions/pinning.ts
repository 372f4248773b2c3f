import { pinMessage, unpinMessage } from '@heddle/client/calls/operations.ts';
import type { PlaceOfPin } from '@heddle/client/calls/types.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { problemText } from '../shown/problem-text.ts';

/** Pins a message in its topic or its channel. The lists follow from the event. */
export async function pin(app: App, messageId: number, place: PlaceOfPin): Promise<void> {
  try {
    await pinMessage(app.connection, { message_id: messageId, place });
  } catch (error) {
    showProblem(t('The message was not pinned. {problem}', { problem: problemText(error) }));
    return;
  }
  const text = place === 'topic' ? t('Pinned in the topic') : t('Pinned in the channel');
  const undo = { label: t('Undo'), run: () => void unpin(app, messageId) };
  toasts.show({ text, action: undo, key: 'pin' });
}

/** @param place where the message is pinned now, if the client knows: the notice then offers to pin it again */
export async function unpin(app: App, messageId: number, place?: PlaceOfPin): Promise<void> {
  try {
    await unpinMessage(app.connection, { message_id: messageId });
  } catch (error) {
    showProblem(t('The message was not unpinned. {problem}', { problem: problemText(error) }));
    return;
  }
  const action = place && { label: t('Undo'), run: () => void pin(app, messageId, place) };
  toasts.show({ text: t('Unpinned'), key: 'pin', ...(action && { action }) });
}

/** Unpins a pinned message, and pins another one in its topic. */
export async function togglePin(app: App, channelId: number, messageId: number): Promise<void> {
  const { pinned } = app.model.cache;
  await pinned.load(channelId);
  const place = pinned.placeOf(channelId, messageId);
  await (place === undefined ? pin(app, messageId, 'topic') : unpin(app, messageId, place));
}

function showProblem(text: string): void {
  toasts.show({ text, kind: 'error', key: 'pin' });
}
