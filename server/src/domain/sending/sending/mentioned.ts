import { checkMayMentionGroups } from '../../../access/messages.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { RenderedMarkup } from '../../../markup/index.ts';

/**
 * Returns the recipients that a message mentions by name or as members of a group, each once.
 * @throws ApiError `BAD_REQUEST`: the sender is not allowed to mention one of the groups
 */
export function mentionedUsers(
  directory: Directory,
  sender: UserRecord,
  { mentionedUserIds, mentionedGroupIds }: Pick<RenderedMarkup, 'mentionedUserIds' | 'mentionedGroupIds'>,
  recipients: { has(userId: number): boolean; keys(): Iterable<number> },
): readonly number[] {
  const mentioned = new Set(mentionedUserIds.filter((userId) => recipients.has(userId)));
  if (mentionedGroupIds.length === 0) return [...mentioned];
  checkMayMentionGroups(directory, sender, mentionedGroupIds);
  for (const userId of recipients.keys()) {
    const user = directory.user(userId);
    if (user?.isActive && mentionedGroupIds.some((id) => directory.groups.includes(id, user))) mentioned.add(userId);
  }
  return [...mentioned];
}
