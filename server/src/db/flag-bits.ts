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
  alerted: 32,
  collapsed: 64,
} as const;

/** The bits that say something of reading; the others are kept when those become redundant. */
export const READING_BITS = FlagBit.read | FlagBit.unread;
