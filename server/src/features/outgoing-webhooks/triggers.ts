/** Of which messages the services of outgoing webhook bots are told (public reference: "Outgoing webhooks", "Triggering"). */
import { channelRefusal } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import { BotType, type ChannelRecord, type UserRecord } from '../../directory/records.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { mentionsIn } from '../../markup/index.ts';
import { messageBody } from '../messages/present.ts';
import { rememberedBy } from '../remembered-state.ts';

/** In the wire's words. */
export type Trigger = 'mention' | 'direct_message';

export interface Triggered {
  readonly botId: number;
  readonly messageId: number;
  readonly trigger: Trigger;
}

/** The open bots that have a service, by id. */
export const servedBots = rememberedBy(['users'], (directory): ReadonlyMap<number, UserRecord> => {
  const bots = directory.users
    .values()
    .filter(({ botType, isActive }) => isActive && botType === BotType.outgoingWebhook);
  return new Map(bots.map((bot) => [bot.id, bot]));
});

/**
 * Whose services an event concerns: by name in a channel, or as participants of a conversation. What bots write concerns none, their own
 * answers among it: so two of them that mention each other do not go on for ever.
 */
export function triggersIn(event: LoggedEvent, directory: Directory): readonly Triggered[] {
  const bots = servedBots(directory);
  const { type, body, messageId } = event;
  // What a deleted message said is not there any more.
  if (bots.size === 0 || type !== 'message' || body === null || messageId === undefined) return [];
  const { sender, channel, participants, renderedContent } = messageBody(event);
  if (directory.correspondent(sender.id)?.isBot !== false) return [];
  if (channel === null) {
    const told = participants.filter(({ id }) => bots.has(id));
    return told.map(({ id }) => ({ botId: id, messageId, trigger: 'direct_message' }));
  }
  const place = directory.channel(channel.id);
  if (place === undefined) return [];
  return [...mentionsIn(renderedContent).userIds]
    .filter((id) => mayBeTold(directory, bots.get(id), place))
    .map((id) => ({ botId: id, messageId, trigger: 'mention' }));
}

/** Who mentions a bot where it can neither read nor answer says nothing to its service. */
export function mayBeTold(directory: Directory, bot: UserRecord | undefined, channel: ChannelRecord): boolean {
  if (bot === undefined) return false;
  const may = (need: 'read' | 'post') => channelRefusal(directory, bot, channel, need) === undefined;
  return may('read') || may('post');
}
