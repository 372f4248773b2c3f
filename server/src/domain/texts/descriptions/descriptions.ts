import { knownChannel } from '../../../access/channels.ts';
import { canAccess } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { whileUnchanged } from '../../../directory/while-unchanged.ts';
import { type MarkupDirectory, renderChannelDescription } from '../../../markup/index.ts';
import { customEmojiNamed } from '../emoji/queries.ts';

/**
 * Renders a channel's description as HTML. Everyone with metadata access can read it. So it links only to channels, and
 * mentions only users, that its author can access.
 * @param channelsOf the user whose channels it may link to
 * @param organizationUrl without a trailing slash
 */
export function renderDescription(
  directory: Directory,
  { author, channelsOf }: { readonly author: UserRecord | undefined; readonly channelsOf: UserRecord | undefined },
  source: string,
  organizationUrl: string,
): string {
  const isNamed = (user: UserRecord) => author === undefined || canAccess(directory, author, user);
  const markup: MarkupDirectory = {
    userById: (id) => [directory.correspondent(id)].find((user) => user !== undefined && isNamed(user)),
    usersByName: (name) => directory.correspondentsByName(name).filter(isNamed),
    customEmoji: (name) => customEmojiNamed(directory, name),
    channelByName: (name) => (channelsOf === undefined ? undefined : knownChannel(directory, channelsOf, name)),
  };
  return renderChannelDescription(source, markup, organizationUrl);
}

/**
 * Renders descriptions of channels that the user creates. A description that was rendered before the transaction is
 * cached for it.
 * @param organizationUrl without a trailing slash; links to it become relative
 */
export function descriptionRenderer(
  directory: Directory,
  creatorId: number | null,
  organizationUrl: string,
): (description: string) => string {
  return whileUnchanged(directory, (description) => {
    const author = creatorId === null ? undefined : directory.user(creatorId);
    return renderDescription(directory, { author, channelsOf: author }, description, organizationUrl);
  });
}

/** The same for texts in a user's profile, which do not link to channels. */
export function profileRenderer(
  directory: Directory,
  authorId: number,
  organizationUrl: string,
): (text: string) => string {
  return whileUnchanged(directory, (text) => {
    return renderDescription(
      directory,
      { author: directory.user(authorId), channelsOf: undefined },
      text,
      organizationUrl,
    );
  });
}
