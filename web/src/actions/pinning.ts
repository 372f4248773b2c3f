import { pinMessage, unpinMessage } from '@heddle/client/calls/operations.ts';
import type { PlaceOfPin } from '@heddle/client/calls/types.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { problemText } from '../shown/problem-text.ts';

/**
 * Pins a message in its topic or its channel, or unpins it. A notice offers to restore what was before.
 * @param to undefined: nowhere
 */
export async function pin(app: App, record: MessageRecord, to: PlaceOfPin | undefined): Promise<void> {
  const { id, place } = record;
  if (place.kind !== 'topic') return;
  const { pinned } = app.model.cache;
  await pinned.load(place.channelId);
  const before = pinned.placeOf(place.channelId, id);
  try {
    if (to === undefined) await unpinMessage(app.connection, { message_id: id });
    else await pinMessage(app.connection, { message_id: id, place: to });
  } catch (error) {
    const problem = problemText(error);
    const text =
      to === undefined
        ? t('The message was not unpinned. {problem}', { problem })
        : t('The message was not pinned. {problem}', { problem });
    toasts.show({ text, kind: 'error', key: 'pin' });
    return;
  }
  // Another change can follow before the event arrives.
  pinned.expire(place.channelId);
  const undo = { label: t('Undo'), run: () => void pin(app, record, before) };
  toasts.show({ text: doneText(to), action: undo, key: 'pin' });
}

function doneText(to: PlaceOfPin | undefined): string {
  if (to === undefined) return t('Unpinned');
  return to === 'topic' ? t('Pinned in the topic') : t('Pinned in the channel');
}
