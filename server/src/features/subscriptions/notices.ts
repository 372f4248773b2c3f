import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@heddle/api/objects/channel.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type Noticing, noticeDirectly, silentMention } from '../sending/actions.ts';
import type { NamesByUser } from './joining.ts';

/** What somebody is told of what another user has subscribed them to. */
interface SubscribedNotice {
  readonly user: UserRecord;
  readonly content: string;
}

/**
 * Direct messages for those whom another user has subscribed: people, and not of channels that the same request creates. Where a request
 * subscribes more than a hundred, nobody is told (public reference: "Subscribe to a channel").
 * @param isNew whether the channel of this name is created by the request
 * @returns undefined: nobody is to be told
 */
export function noticesOf(
  directory: Directory,
  actor: UserRecord,
  subscribed: NamesByUser,
  isNew: (channel: string) => boolean,
): readonly SubscribedNotice[] | undefined {
  const byUser = Object.entries(subscribed);
  if (byUser.length > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return undefined;
  return byUser.flatMap(([id, channels]) => {
    const user = directory.user(Number(id));
    const names = channels.filter((name) => !isNew(name)).sort();
    if (user === undefined || !user.isActive || user.isBot || user.id === actor.id || names.length === 0) return [];
    return { user, content: subscribedText(names, silentMention(actor)) };
  });
}

/** @returns whether those who were to be told are */
export async function tellSubscribed(
  change: Change,
  notices: readonly SubscribedNotice[] | undefined,
  noticing: Noticing,
): Promise<boolean> {
  return notices !== undefined && noticeDirectly(change, notices, noticing);
}

function subscribedText(names: readonly string[], actor: string): string {
  if (names.length === 1) return `${actor} subscribed you to #**${names[0]}**.`;
  return `${actor} subscribed you to the following channels:\n\n${names.map((name) => `* #**${name}**`).join('\n')}`;
}
