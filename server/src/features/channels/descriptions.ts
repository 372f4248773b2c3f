import { knownChannel } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type MarkupDirectory, renderChannelDescription } from '../../markup/index.ts';
import { customEmojiNamed } from '../emoji/queries.ts';

/**
 * A channel's description as HTML. Whoever may know the channel reads it, so it links only to channels that its author knows.
 * @param organizationUrl without a slash at the end
 */
export function renderDescription(
  directory: Directory,
  author: UserRecord | undefined,
  source: string,
  organizationUrl: string,
): string {
  const markup: MarkupDirectory = {
    userById: (id) => directory.correspondent(id),
    usersByName: (name) => directory.correspondentsByName(name),
    customEmoji: (name) => customEmojiNamed(directory, name),
    channelByName: (name) => (author === undefined ? undefined : knownChannel(directory, author, name)),
  };
  return renderChannelDescription(source, markup, organizationUrl);
}
