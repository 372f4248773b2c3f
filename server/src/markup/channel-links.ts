import type { StateInline } from 'markdown-it';
import { canStartReference } from './mentions.ts';
import { channelPath, messagePath, topicPath } from './narrow-url.ts';
import { renderStateOf } from './render-state.ts';
import type { MarkupChannel } from './types.ts';

/** The `meta` of a `channel_link` token. An undefined `topic` links to the channel, an empty one to its topic without a name. */
export interface ChannelLink {
  readonly kind: 'channel' | 'topic' | 'message';
  readonly channel: MarkupChannel;
  readonly topic: string | undefined;
  readonly href: string;
}

const HASH_CODE = 35;
const SYNTAX = /#\*\*([^*>\n]+)(?:(>)([^*\n]*?)(?:@(\d{1,15}))?)?\*\*/y;

/**
 * `#**channel**`, `#**channel>topic**` and `#**channel>topic@message**`, for channels that the sender may know. Spaces around the `>` are no
 * part of either name.
 */
export function channelLink(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== HASH_CODE || state.linkLevel > 0 || !canStartReference(state, pos)) return false;
  SYNTAX.lastIndex = pos;
  const match = SYNTAX.exec(src);
  const name = match?.[1]?.trim();
  if (!match || name === undefined || pos + match[0].length > state.posMax) return false;
  const { directory } = renderStateOf(state.env);
  const channel = directory.channelByName(name);
  // The directory ignores case, and a link names its channel exactly.
  if (channel?.name !== name) return false;

  if (!silent) {
    const topic = match[2] === undefined ? undefined : (match[3] ?? '').trim();
    const messageId = match[4];
    let link: ChannelLink;
    if (topic === undefined) {
      link = { kind: 'channel', channel, topic, href: channelPath(channel) };
    } else if (messageId === undefined) {
      const latest = directory.latestMessageInTopic?.(channel.id, topic);
      link = { kind: 'topic', channel, topic, href: topicPath(channel, topic, latest) };
    } else {
      link = { kind: 'message', channel, topic, href: messagePath(channel, topic, messageId) };
    }
    state.push('channel_link', 'a', 0).meta = { link };
  }
  state.pos = pos + match[0].length;
  return true;
}
