import { updateMessage } from '@heddle/client/calls/operations.ts';
import { isResolved, resolvedName, type TopicPlace, unresolvedName } from '@heddle/client/model/messages/places.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { followMove } from '../compose/following.ts';
import { problemText } from '../shown/problem-text.ts';
import { messageIdOf } from './topic-messages.ts';

/** Whether the user may do that. The topic without a name cannot be resolved. */
export function mayResolve({ model }: App, { channelId, topic }: TopicPlace): boolean {
  const channel = model.channels.get(channelId);
  return topic !== '' && channel !== undefined && model.permissions.messages.resolve(channel).allowed;
}

/** Marks a topic as resolved, or as not resolved. Everybody sees it. */
export async function toggleResolved(app: App, place: TopicPlace): Promise<void> {
  const wasResolved = isResolved(place.topic);
  const topic = wasResolved ? unresolvedName(place.topic) : resolvedName(place.topic);
  try {
    const messageId = await messageIdOf(app, place);
    if (messageId === undefined) return;
    await updateMessage(app.connection, { message_id: messageId, topic, propagate_mode: 'change_all' });
    followMove(app, place, { ...place, topic });
    const undo = { label: t('Undo'), run: () => void toggleResolved(app, { ...place, topic }) };
    const text = wasResolved ? t('Topic marked as unresolved') : t('Topic marked as resolved');
    toasts.show({ text, action: undo, key: 'resolve' });
  } catch (error) {
    const text = t('The topic was not changed. {problem}', { problem: problemText(error) });
    toasts.show({ text, kind: 'error', key: 'resolve' });
  }
}
