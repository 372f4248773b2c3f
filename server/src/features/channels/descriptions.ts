import { knownChannel } from '../../access/channels.ts';
import { knows } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type MarkupDirectory, renderChannelDescription } from '../../markup/index.ts';
import { customEmojiNamed } from '../emoji/queries.ts';

/**
 * A channel's description as HTML. Whoever may know the channel reads it, so it links only to channels that its author knows, and
 * mentions only people whom they know.
 * @param channelsOf whose channels it may link to
 * @param organizationUrl without a slash at the end
 */
export function renderDescription(
  directory: Directory,
  { author, channelsOf }: { readonly author: UserRecord | undefined; readonly channelsOf: UserRecord | undefined },
  source: string,
  organizationUrl: string,
): string {
  const isNamed = (user: UserRecord) => author === undefined || knows(directory, author, user);
  const markup: MarkupDirectory = {
    userById: (id) => [directory.correspondent(id)].find((user) => user !== undefined && isNamed(user)),
    usersByName: (name) => directory.correspondentsByName(name).filter(isNamed),
    customEmoji: (name) => customEmojiNamed(directory, name),
    channelByName: (name) => (channelsOf === undefined ? undefined : knownChannel(directory, channelsOf, name)),
  };
  return renderChannelDescription(source, markup, organizationUrl);
}
