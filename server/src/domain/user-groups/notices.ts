import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@heddle/api/objects/channel.ts';
import type { Change } from '../../directory/organization.ts';
import { type NoticeContext, noticeDirectly, silentMention } from '../sending/sending/notices.ts';
import type { Differences } from './membership.ts';

/**
 * Sends direct messages of the notification bot to users whom another user added to a group or removed. It sends none
 * above the bound for subscription notices.
 */
export async function notifyMembers(
  change: Change,
  groupId: number,
  { add = [], remove = [] }: Differences,
  noticeContext: NoticeContext,
): Promise<void> {
  if (add.length + remove.length > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return;
  const actor = silentMention(noticeContext.actor);
  const group = mentionOf(change.directory.groups.all.get(groupId)?.name ?? '');
  const to = (userIds: readonly number[], content: string) =>
    [...new Set(userIds)].flatMap((id) => {
      const user = change.directory.user(id);
      return user === undefined || user.isBot || id === noticeContext.actor.id ? [] : [{ user, content }];
    });
  const notices = [
    ...to(add, `${actor} added you to the group ${group}.`),
    ...to(remove, `${actor} removed you from the group ${group}.`),
  ];
  await noticeDirectly(change, notices, noticeContext);
}

/**
 * A silent mention. A name with a star cannot be mentioned, so its special characters are removed, to keep its markup
 * out of the message.
 */
function mentionOf(name: string): string {
  return name.includes('*') ? name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim() : `@_*${name}*`;
}
