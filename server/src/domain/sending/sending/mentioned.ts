import { checkMayMentionGroups } from '../../../access/messages.ts';
import type { Directory } from '../../../directory/directory.ts';
import { membersAmong } from '../../../directory/members-among.ts';
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
  const present = [...recipients.keys()].filter((userId) => directory.user(userId)?.isActive);
  // A text can mention a thousand groups, so nobody is looked for again after one of them has been found to mention them.
  const left = new Set(present);
  for (const id of mentionedGroupIds) for (const userId of membersAmong(directory, id, left)) left.delete(userId);
  for (const userId of present) if (!left.has(userId)) mentioned.add(userId);
  return [...mentioned];
}
