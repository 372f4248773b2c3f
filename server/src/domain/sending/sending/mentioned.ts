import { checkMayMentionGroups } from '../../../access/messages.ts';
import type { Directory } from '../../../directory/directory.ts';
import { membersOfAny } from '../../../directory/members-among.ts';
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
  const inGroups = membersOfAny(directory, mentionedGroupIds, present);
  for (const userId of present) if (inGroups.has(userId)) mentioned.add(userId);
  return [...mentioned];
}
