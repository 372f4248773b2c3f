import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@heddle/api/objects/channel.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { channelLink, type NoticeContext, noticeDirectly, silentMention } from '../../sending/sending/notices.ts';
import type { Step } from './batches.ts';
import type { NamesByUser } from './joining.ts';

/** The message to a user whom another user subscribed. */
interface SubscribedNotice {
  readonly user: UserRecord;
  readonly content: string;
}

/** The number of messages per commit. Each can name hundreds of channels, in about 100 kilobytes. */
const MAX_MESSAGES_PER_COMMIT = 5;

/**
 * If a request subscribes more than 100 users, the server sends no notices (public reference: "Subscribe to a
 * channel").
 */
export function mayNotify(directory: Directory, subscribed: NamesByUser): boolean {
  if (subscribed.size > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return false;
  return directory.systemBot('notification') !== undefined;
}

/**
 * Returns direct messages to users whom another user subscribed. Bots get none, and channels created by the same
 * request are left out.
 * @param isNew whether the request created the channel of this name
 */
export function noticesOf(
  directory: Directory,
  actor: UserRecord,
  subscribed: NamesByUser,
  isNew: (channel: string) => boolean,
): readonly SubscribedNotice[] {
  if (!mayNotify(directory, subscribed)) return [];
  return [...subscribed].flatMap(([id, channels]) => {
    const user = directory.user(id);
    const names = channels.filter((name) => !isNew(name)).sort();
    if (user === undefined || !user.isActive || user.isBot || user.id === actor.id || names.length === 0) return [];
    return { user, content: subscribedText(names, silentMention(actor)) };
  });
}

/** @returns whether the notices were sent */
export async function notifySubscribed(
  change: Change,
  subscribed: NamesByUser,
  isNew: (channel: string) => boolean,
  noticeContext: NoticeContext,
): Promise<boolean> {
  const { directory } = change;
  return (
    mayNotify(directory, subscribed) &&
    noticeDirectly(change, noticesOf(directory, noticeContext.actor, subscribed, isNew), noticeContext)
  );
}

/**
 * Sends the notices in separate steps, for a request with several batches. Each user gets one message, after all
 * batches.
 * @param subscribed complete when the first of these steps runs
 */
export function noticeSteps(
  noticeContext: NoticeContext,
  subscribed: NamesByUser,
  isNew: (channel: string) => boolean,
  directory: Directory,
): readonly Step[] {
  const places = Array.from(
    { length: MAX_BULK_NEW_SUBSCRIPTION_MESSAGES / MAX_MESSAGES_PER_COMMIT },
    (_, index) => index,
  );
  return places.map((place) => {
    const some = (): NamesByUser => {
      if (!mayNotify(directory, subscribed)) return new Map();
      return new Map([...subscribed].slice(place * MAX_MESSAGES_PER_COMMIT, (place + 1) * MAX_MESSAGES_PER_COMMIT));
    };
    const notices = () => noticesOf(directory, noticeContext.actor, some(), isNew);
    return {
      isNeeded: () => notices().length > 0,
      *ahead() {
        for (const { content } of notices()) yield noticeContext.render(content);
      },
      act: async (change, actor) => {
        await notifySubscribed(change, some(), isNew, { ...noticeContext, actor });
        return () => undefined;
      },
    };
  });
}

function subscribedText(names: readonly string[], actor: string): string {
  const [first = '', ...others] = names.map(channelLink);
  if (others.length === 0) return `${actor} subscribed you to ${first}.`;
  return `${actor} subscribed you to the following channels:\n\n${[first, ...others].map((link) => `* ${link}`).join('\n')}`;
}
