/**
 * The bits of a row of `message_flags`. A row exists only if a user's state differs from the default. By default, a
 * message is read up to the last read id (`read_through`) of the subscription and unread after it.
 */
export const FlagBit = {
  /** Read, although above the last read id. */
  read: 1,
  /** Unread, although not above the last read id. */
  unread: 2,
  starred: 4,
  mentioned: 8,
  topicMentioned: 16,
  alerted: 32,
  collapsed: 64,
} as const;

/** The bits about reading. When they become redundant, the other bits stay. */
export const READING_BITS = FlagBit.read | FlagBit.unread;
