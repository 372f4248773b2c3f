import { showsSpectators } from '../../../access/spectators.ts';
import type { Directory } from '../../../directory/directory.ts';
import { avatarOf } from '../../users/users/avatars.ts';
import { asSpectatorsSee } from '../../users/users/seen-by-spectators.ts';
import type { MessageEdit } from './edits.ts';
import type { FetchedMessage } from './fetched-message.ts';

/**
 * The message in the form that spectators see: read, and without email addresses. The history of the time before it was
 * in a web-public channel is missing.
 * @param host of the organization
 */
export function messageForSpectators(directory: Directory, message: FetchedMessage, host: string): FetchedMessage {
  const { content, edits } = message;
  return {
    ...message,
    content: { ...content, sender: senderForSpectators(directory, content.sender, host) },
    flags: ['read'],
    edits: edits && sinceSeen(directory, edits),
  };
}

function senderForSpectators(directory: Directory, sender: FetchedMessage['content']['sender'], host: string) {
  const user = directory.correspondent(sender.id);
  if (user === undefined) throw new Error(`a message has an unknown sender ${sender.id}`);
  const shown = asSpectatorsSee(user, host);
  return { ...sender, email: shown.email, avatar: { url: avatarOf(directory, shown).url, isGravatar: false } };
}

/**
 * The changes since the message left a channel that spectators cannot see, newest first. The move itself is left out,
 * because it names that channel.
 */
function sinceSeen(directory: Directory, edits: readonly MessageEdit[]): readonly MessageEdit[] {
  const hidden = edits.findIndex(({ channel }) => channel !== null && !isSeen(directory, channel.before));
  return hidden < 0 ? edits : edits.slice(0, hidden);
}

function isSeen(directory: Directory, channelId: number): boolean {
  const channel = directory.channel(channelId);
  return channel !== undefined && showsSpectators(directory, channel);
}
