import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@heddle/api/objects/channel.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type Noticing, noticeDirectly, silentMention } from '../sending/actions.ts';

/** Somebody with the names of the channels that they have been subscribed to. */
export interface NewlySubscribed {
  readonly user: UserRecord;
  readonly channels: readonly string[];
}

/**
 * Tells those whom another user has subscribed, by a direct message of the notification bot: people, and not of channels that the same
 * request creates. Where a request subscribes more than a hundred, nobody is told (public reference: "Subscribe to a channel").
 * @param isNew whether the channel of this name is created by the request
 * @returns whether those who were to be told are
 */
export async function tellSubscribed(
  change: Change,
  subscribed: readonly NewlySubscribed[],
  isNew: (channel: string) => boolean,
  noticing: Noticing,
): Promise<boolean> {
  if (subscribed.length > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return false;
  const notices = subscribed.flatMap(({ user, channels }) => {
    const names = channels.filter((name) => !isNew(name)).sort();
    if (user.id === noticing.actor.id || user.isBot || names.length === 0) return [];
    return { user, content: subscribedText(names, silentMention(noticing.actor)) };
  });
  return noticeDirectly(change, notices, noticing);
}

function subscribedText(names: readonly string[], actor: string): string {
  if (names.length === 1) return `${actor} subscribed you to #**${names[0]}**.`;
  return `${actor} subscribed you to the following channels:\n\n${names.map((name) => `* #**${name}**`).join('\n')}`;
}
