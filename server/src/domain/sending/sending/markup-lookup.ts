import { knownChannel } from '../../../access/channels.ts';
import { canAccess } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import { type GroupRecord, SystemGroup, type UserRecord } from '../../../directory/records.ts';
import type { MarkupDirectory, MarkupGroup, MarkupUpload } from '../../../markup/index.ts';
import { customEmojiNamed } from '../../texts/emoji/queries.ts';
import { type LinkableFiles, NO_FILES } from '../../uploads/links.ts';
import { markupPicture } from '../../uploads/picture.ts';
import { type LinkedTopics, NO_TOPICS } from './linked-topics.ts';

/** The names of system groups in mentions. */
const SYSTEM_GROUP_NAMES: Readonly<Record<string, string>> = {
  [SystemGroup.nobody]: 'Nobody',
  [SystemGroup.owners]: 'Owners',
  [SystemGroup.administrators]: 'Administrators',
  [SystemGroup.moderators]: 'Moderators',
  [SystemGroup.fullMembers]: 'Full members',
  [SystemGroup.members]: 'Members',
  [SystemGroup.everyone]: 'Everyone',
  [SystemGroup.internet]: 'Everyone on the internet',
};

/**
 * What the markup of a user's message can refer to: accessible users who can receive messages, all groups, and channels
 * whose metadata the user can access.
 * @param files that the text can link to
 * @param topics that the text links to
 */
export function markupLookup(
  directory: Directory,
  sender: UserRecord,
  files: LinkableFiles = NO_FILES,
  topics: LinkedTopics = NO_TOPICS,
): MarkupDirectory {
  return {
    userById: (id) => unlessInaccessible(directory, sender, directory.correspondent(id)),
    usersByName: (fullName) =>
      directory.correspondentsByName(fullName).filter((user) => canAccess(directory, sender, user)),
    channelByName: (name) => knownChannel(directory, sender, name),
    customEmoji: (name) => customEmojiNamed(directory, name),
    groupByName: (name) => mentionedGroup(directory.groups.byName(name)),
    latestMessageInTopic: (channelId, topic) => topics.newestIn(channelId, topic),
    upload: (pathId) => markupUpload(files, pathId),
  };
}

function unlessInaccessible(
  directory: Directory,
  sender: UserRecord,
  user: UserRecord | undefined,
): UserRecord | undefined {
  return user !== undefined && canAccess(directory, sender, user) ? user : undefined;
}

function markupUpload(files: LinkableFiles, pathId: string): MarkupUpload | undefined {
  const file = files.get(pathId);
  if (file === undefined) return undefined;
  const { contentType, picture } = file;
  return { contentType, picture: picture === null ? null : markupPicture(pathId, contentType, picture) };
}

function mentionedGroup(group: GroupRecord | undefined): MarkupGroup | undefined {
  if (group === undefined) return undefined;
  const name = (group.isSystem ? SYSTEM_GROUP_NAMES[group.name] : undefined) ?? group.name;
  return { id: group.id, name, isActive: !group.isDeactivated };
}
