import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@heddle/api/objects/channel.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { channelLink, type Noticing, noticeDirectly, silentMention } from '../sending/actions.ts';
import type { NamesByUser } from './joining.ts';
import type { Step } from './slices.ts';

/** What somebody is told of what another user has subscribed them to. */
interface SubscribedNotice {
  readonly user: UserRecord;
  readonly content: string;
}

/** Each is told in a message that may name hundreds of channels, and is a hundred kilobytes then. */
const MOST_IN_STEP = 5;

/** Where a request subscribes more than a hundred, nobody is told (public reference: "Subscribe to a channel"). */
export function mayTell(directory: Directory, subscribed: NamesByUser): boolean {
  if (subscribed.size > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return false;
  return directory.systemBot('notification') !== undefined;
}

/**
 * Direct messages for those whom another user has subscribed: people, and not of channels that the same request creates.
 * @param isNew whether the channel of this name is created by the request
 */
export function noticesOf(
  directory: Directory,
  actor: UserRecord,
  subscribed: NamesByUser,
  isNew: (channel: string) => boolean,
): readonly SubscribedNotice[] {
  if (!mayTell(directory, subscribed)) return [];
  return [...subscribed].flatMap(([id, channels]) => {
    const user = directory.user(id);
    const names = channels.filter((name) => !isNew(name)).sort();
    if (user === undefined || !user.isActive || user.isBot || user.id === actor.id || names.length === 0) return [];
    return { user, content: subscribedText(names, silentMention(actor)) };
  });
}

/** @returns whether those who were to be told are */
export async function tellSubscribed(
  change: Change,
  subscribed: NamesByUser,
  isNew: (channel: string) => boolean,
  noticing: Noticing,
): Promise<boolean> {
  const { directory } = change;
  return (
    mayTell(directory, subscribed) &&
    noticeDirectly(change, noticesOf(directory, noticing.actor, subscribed, isNew), noticing)
  );
}

/**
 * The same in steps of their own, for a request that subscribes in several: one message for each who is told, when all are subscribed.
 * @param subscribed complete when the first of these steps comes
 */
export function tellingSteps(
  noticing: Noticing,
  subscribed: NamesByUser,
  isNew: (channel: string) => boolean,
  directory: Directory,
): readonly Step[] {
  const places = Array.from({ length: MAX_BULK_NEW_SUBSCRIPTION_MESSAGES / MOST_IN_STEP }, (_, index) => index);
  return places.map((place) => {
    const some = (): NamesByUser => {
      if (!mayTell(directory, subscribed)) return new Map();
      return new Map([...subscribed].slice(place * MOST_IN_STEP, (place + 1) * MOST_IN_STEP));
    };
    const notices = () => noticesOf(directory, noticing.actor, some(), isNew);
    return {
      isNeeded: () => notices().length > 0,
      *ahead() {
        for (const { content } of notices()) yield noticing.render(content);
      },
      act: async (change, actor) => {
        await tellSubscribed(change, some(), isNew, { ...noticing, actor });
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
