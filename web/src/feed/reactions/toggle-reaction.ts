import { isApiError } from '@heddle/client/calls/errors.ts';
import { addReaction, removeReaction } from '@heddle/client/calls/operations.ts';
import type { App } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { type Emoji, keyOfEmoji } from '../../emoji/emoji.ts';
import { rememberEmoji } from '../../emoji/recent-emoji.ts';
import { problemText } from '../../shown/problem-text.ts';

/** Whether the user reacted with this emoji. */
export function hasReacted({ model }: Pick<App, 'model'>, messageId: number, emoji: Emoji): boolean {
  const key = keyOfEmoji(emoji);
  const reactions = model.cache.messages.get(messageId)?.reactions ?? [];
  return reactions.some(
    ({ type, emojiCode: code, userId }) => userId === model.ownId && keyOfEmoji({ type, code }) === key,
  );
}

/**
 * Adds or removes the user's reaction at once. If the server refuses it, that is taken back with a notice.
 * @param isRemembered whether the picker has counted the choice already
 */
export async function toggleReaction(app: App, messageId: number, emoji: Emoji, isRemembered = false): Promise<void> {
  const { model, connection } = app;
  const record = model.cache.messages.get(messageId);
  if (record === undefined) return;
  const { channelId } = record.place.kind === 'topic' ? record.place : { channelId: null };
  const facts = { senderId: record.senderId, channelId, sentAt: record.timestamp };
  if (!model.permissions.messages.react(facts).allowed) return;
  const op = hasReacted(app, messageId, emoji) ? 'remove' : 'add';
  const wire = { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type };
  model.applyReaction(op, messageId, wire);
  if (op === 'add' && !isRemembered) rememberEmoji(model.ownId, emoji);
  try {
    const call = op === 'add' ? addReaction : removeReaction;
    await call(connection, { message_id: messageId, ...wire }, { retries: 2 });
  } catch (error) {
    // A repeated request finds that the first one succeeded.
    if (isApiError(error, 'REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST')) return;
    if (hasReacted(app, messageId, emoji) === (op === 'add')) {
      model.applyReaction(op === 'add' ? 'remove' : 'add', messageId, wire);
    }
    const problem = problemText(error);
    const text =
      op === 'add'
        ? t('The reaction was not added. {problem}', { problem })
        : t('The reaction was not removed. {problem}', { problem });
    toasts.show({ text, kind: 'error', key: 'reaction' });
  }
}
