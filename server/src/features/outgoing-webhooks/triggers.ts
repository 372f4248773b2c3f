/** The messages that trigger outgoing webhooks (public reference: "Outgoing webhooks", "Triggering"). */
import { channelRefusal } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import { BotType, type ChannelRecord, type UserRecord } from '../../directory/records.ts';
import { messageBody } from '../../domain/messages/messages/message-body.ts';
import { rememberedBy } from '../../extension/remembered-state.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { mentionsIn } from '../../markup/index.ts';

/** In the words of the wire. */
export type Trigger = 'mention' | 'direct_message';

export interface Triggered {
  readonly botId: number;
  readonly messageId: number;
  readonly trigger: Trigger;
}

/** The active bots with a service, by id. */
export const servedBots = rememberedBy(['users'], (directory): ReadonlyMap<number, UserRecord> => {
  const bots = directory.users
    .values()
    .filter(({ botType, isActive }) => isActive && botType === BotType.outgoingWebhook);
  return new Map(bots.map((bot) => [bot.id, bot]));
});

/**
 * The bots that an event concerns: mentioned by name in a channel, or participants of a conversation. Messages of bots concern none, so two
 * bots that mention each other do not continue for ever.
 */
export function triggersIn(event: LoggedEvent, directory: Directory): readonly Triggered[] {
  const bots = servedBots(directory);
  const { type, body, messageId } = event;
  // The text of a deleted message is gone.
  if (bots.size === 0 || type !== 'message' || body === null || messageId === undefined) return [];
  const { sender, channel, participants, renderedContent } = messageBody(event);
  if (directory.correspondent(sender.id)?.isBot !== false) return [];
  if (channel === null) {
    const notified = participants.filter(({ id }) => bots.has(id));
    return notified.map(({ id }) => ({ botId: id, messageId, trigger: 'direct_message' }));
  }
  const place = directory.channel(channel.id);
  if (place === undefined) return [];
  return [...mentionsIn(renderedContent).userIds]
    .filter((id) => mayBeNotified(directory, bots.get(id), place))
    .map((id) => ({ botId: id, messageId, trigger: 'mention' }));
}

/** A mention has no effect where the bot can neither read nor reply. */
export function mayBeNotified(directory: Directory, bot: UserRecord | undefined, channel: ChannelRecord): boolean {
  if (bot === undefined) return false;
  const may = (need: 'read' | 'post') => channelRefusal(directory, bot, channel, need) === undefined;
  return may('read') || may('post');
}
