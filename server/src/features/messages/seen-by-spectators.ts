import { showsSpectators } from '../../access/spectators.ts';
import type { Directory } from '../../directory/directory.ts';
import { asSpectatorsSee, avatarOf } from '../users/queries.ts';
import type { MessageEdit } from './edits.ts';
import type { FetchedMessage } from './queries.ts';

/**
 * A message that spectators read, as they are told of it: read by them, without anybody's address, and without what it was while it was
 * in a channel that they do not see.
 * @param host of the organization
 */
export function messageForSpectators(directory: Directory, message: FetchedMessage, host: string): FetchedMessage {
  const { content, reactions, edits } = message;
  return {
    ...message,
    content: { ...content, sender: senderForSpectators(directory, content.sender, host) },
    flags: ['read'],
    reactions: reactions.map((reaction) => ({ ...reaction, user: withoutAddress(directory, reaction.user, host) })),
    edits: edits && sinceSeen(directory, edits),
  };
}

function senderForSpectators(directory: Directory, sender: FetchedMessage['content']['sender'], host: string) {
  const user = directory.correspondent(sender.id);
  if (user === undefined) throw new Error(`a message has an unknown sender ${sender.id}`);
  const told = asSpectatorsSee(user, host);
  return { ...sender, email: told.email, avatar: { url: avatarOf(directory, told).url, isGravatar: false } };
}

function withoutAddress<User extends { readonly id: number }>(directory: Directory, user: User, host: string): User {
  const known = directory.correspondent(user.id);
  return known === undefined ? user : { ...user, email: asSpectatorsSee(known, host).email };
}

/** The changes since the message came from where they do not look, the newest first; without its coming, which names the place. */
function sinceSeen(directory: Directory, edits: readonly MessageEdit[]): readonly MessageEdit[] {
  const hidden = edits.findIndex(({ channel }) => channel !== null && !isSeen(directory, channel.before));
  return hidden < 0 ? edits : edits.slice(0, hidden);
}

function isSeen(directory: Directory, channelId: number): boolean {
  const channel = directory.channel(channelId);
  return channel !== undefined && showsSpectators(directory, channel);
}
