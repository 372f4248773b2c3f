/**
 * Addresses of conversations inside the organization: `#narrow/channel/9-design/topic/Release.20notes/near/214`.
 * The encoding of names is percent-encoding of everything but letters, digits, `_`, `-` and `~`, with `.` for `%`.
 */

/** Encodes a topic or a channel's name for use after `#narrow/`. */
export function encodeHashComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[.!*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}

/** The part that names a channel. Its id decides; the name is there for people. */
function channelSlug(channel: { readonly id: number; readonly name: string }): string {
  return `${channel.id}-${encodeHashComponent(channel.name.replaceAll(' ', '-'))}`;
}

export function channelPath(channel: { readonly id: number; readonly name: string }): string {
  return `/#narrow/channel/${channelSlug(channel)}`;
}

/** `withMessageId` lets the link follow the topic when its messages move. */
export function topicPath(
  channel: { readonly id: number; readonly name: string },
  topic: string,
  withMessageId?: number,
): string {
  const path = `${channelPath(channel)}/topic/${encodeHashComponent(topic)}`;
  return withMessageId === undefined ? path : `${path}/with/${withMessageId}`;
}

export function messagePath(
  channel: { readonly id: number; readonly name: string },
  topic: string,
  messageId: string,
): string {
  return `${topicPath(channel, topic)}/near/${messageId}`;
}

/** Of a message in the conversation of these users, the reader among them. */
export function directMessagePath(participants: readonly number[], messageId: number): string {
  const kind = participants.length > 2 ? 'group' : 'dm';
  return `/#narrow/dm/${participants.toSorted((a, b) => a - b).join(',')}-${kind}/near/${messageId}`;
}
