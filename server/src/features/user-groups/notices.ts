import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@heddle/api/objects/channel.ts';
import type { Change } from '../../directory/organization.ts';
import { type Noticing, noticeDirectly, silentMention } from '../sending/actions.ts';
import type { Differences } from './membership.ts';

/**
 * Tells people whom another has put into a group, or taken out of it, by a direct message of the notification bot. Where there are more
 * of them than of subscribers who are told, nobody is.
 */
export async function tellMembers(
  change: Change,
  groupId: number,
  { add = [], remove = [] }: Differences,
  noticing: Noticing,
): Promise<void> {
  if (add.length + remove.length > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return;
  const actor = silentMention(noticing.actor);
  const name = change.directory.groups.all.get(groupId)?.name;
  const to = (userIds: readonly number[], content: string) =>
    [...new Set(userIds)].flatMap((id) => {
      const user = change.directory.user(id);
      return user === undefined || user.isBot || id === noticing.actor.id ? [] : [{ user, content }];
    });
  const notices = [
    ...to(add, `${actor} added you to the group @_*${name}*.`),
    ...to(remove, `${actor} removed you from the group @_*${name}*.`),
  ];
  await noticeDirectly(change, notices, noticing);
}
