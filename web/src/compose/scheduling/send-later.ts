import { createScheduledMessage } from '@heddle/client/calls/operations.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import type { App } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { toasts } from '../../base/toasts.ts';
import { problemText } from '../../shown/problem-text.ts';
import { sentTextOf } from '../commands/commands.ts';
import { composeStore } from '../compose-store.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { unschedule } from './unschedule.ts';

/**
 * Schedules the text of the box. The text stays in the box until the server has it. A toast offers to take it back: into the
 * box that is open then, because the user can have gone to another conversation.
 */
export async function sendLater(app: App, session: ComposeSession, at: Date): Promise<void> {
  const { connection, model } = app;
  const { place } = session;
  const written = session.text.value.trim();
  const content = sentTextOf(written);
  if (place === undefined || content === '' || session.isScheduling) return;
  session.isScheduling = true;
  const deliverAt = Math.round(at.getTime() / 1000);
  const parameters = { content, scheduled_delivery_timestamp: deliverAt, read_by_sender: true };
  try {
    const { scheduled_message_id: id } = await createScheduledMessage(connection, {
      ...recipientOf(place, model.ownId),
      ...parameters,
    });
    const text = t('The message is scheduled for {time}.', { time: formatDateTime(at) });
    // The user can have typed more meanwhile.
    if (session.text.value.trim() === written) session.take();
    const undo = async () => {
      if (await unschedule(app, { id, deliverAt })) composeStore.open({ place, content: written });
    };
    toasts.show({ text, action: { label: t('Undo'), run: () => void undo() } });
  } catch (error) {
    toasts.show({ kind: 'error', text: t('Not scheduled: {problem}', { problem: problemText(error) }) });
  } finally {
    session.isScheduling = false;
  }
}

function recipientOf(place: Place, ownId: number) {
  if (place.kind === 'topic') return { type: 'channel', to: place.channelId, topic: place.topic } as const;
  return { type: 'direct', to: place.userIds.length === 0 ? [ownId] : [...place.userIds] } as const;
}
