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
  const group = calm(change.directory.groups.all.get(groupId)?.name ?? '');
  const to = (userIds: readonly number[], content: string) =>
    [...new Set(userIds)].flatMap((id) => {
      const user = change.directory.user(id);
      return user === undefined || user.isBot || id === noticing.actor.id ? [] : [{ user, content }];
    });
  const notices = [
    ...to(add, `${actor} added you to the group ${group}.`),
    ...to(remove, `${actor} removed you from the group ${group}.`),
  ];
  await noticeDirectly(change, notices, noticing);
}

/** A mention that tells nobody. A name with a star cannot be mentioned, and must not bring markup of its own into what the bot says. */
function calm(name: string): string {
  return name.includes('*') ? name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim() : `@_*${name}*`;
}
