/**
 * What a `message_flags` row can say. A row stands only where a user's state differs from the default: read up to the
 * `read_through` of the membership, unread after it.
 */
export const FlagBit = {
  /** Read although above `read_through`. */
  read: 1,
  /** Unread although at or below `read_through`. */
  unread: 2,
  starred: 4,
  mentioned: 8,
  topicMentioned: 16,
  collapsed: 64,
} as const;

/** The bits that say something of reading; the others are kept when those become redundant. */
export const READING_BITS = FlagBit.read | FlagBit.unread;

/** Everything that decides a user's flags on one message. */
export interface FlagFacts {
  readonly bits: number;
  readonly messageId: number;
  /** null where the user is no member now: then everything counts as read. */
  readonly readThrough: number | null;
  /** Whether the message came while the user was subscribed, or took part in the conversation. */
  readonly received: boolean;
  readonly mentionsChannel: boolean;
}

export function isUnread({ bits, messageId, readThrough }: FlagFacts): boolean {
  if ((bits & FlagBit.unread) !== 0) return readThrough !== null;
  return readThrough !== null && messageId > readThrough && (bits & FlagBit.read) === 0;
}

export type WireFlag =
  | 'read'
  | 'starred'
  | 'collapsed'
  | 'mentioned'
  | 'stream_wildcard_mentioned'
  | 'topic_wildcard_mentioned'
  | 'wildcard_mentioned'
  | 'historical';

/** The flags as clients read them (interface document, "Message"). */
export function wireFlags(facts: FlagFacts): WireFlag[] {
  const { bits } = facts;
  const flags: WireFlag[] = [];
  if (!isUnread(facts)) flags.push('read');
  if ((bits & FlagBit.starred) !== 0) flags.push('starred');
  if ((bits & FlagBit.collapsed) !== 0) flags.push('collapsed');
  if ((bits & FlagBit.mentioned) !== 0) flags.push('mentioned');
  const channelWildcard = facts.mentionsChannel && facts.received;
  const topicWildcard = (bits & FlagBit.topicMentioned) !== 0;
  if (channelWildcard) flags.push('stream_wildcard_mentioned');
  if (topicWildcard) flags.push('topic_wildcard_mentioned');
  if (channelWildcard || topicWildcard) flags.push('wildcard_mentioned');
  if (!facts.received) flags.push('historical');
  return flags;
}
