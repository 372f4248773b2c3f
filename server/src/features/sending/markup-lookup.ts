import { knownChannel } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { MarkupDirectory } from '../../markup/index.ts';

/** What the markup of a user's message may refer to: whoever can be written to, and the channels that the user knows. */
export function markupLookup(directory: Directory, sender: UserRecord): MarkupDirectory {
  return {
    userById: (id) => directory.correspondent(id),
    usersByName: (fullName) => directory.correspondentsByName(fullName),
    channelByName: (name) => knownChannel(directory, sender, name),
  };
}
