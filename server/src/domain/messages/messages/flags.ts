import { FlagBit } from '../../../db/flag-bits.ts';

/** All facts that determine a user's flags on one message. */
export interface FlagFacts {
  /** The bits of the user's flag row. `isUnread` already contains its bits for `read` and `unread`. */
  readonly bits: number;
  readonly isUnread: boolean;
  /** Whether the message was sent while the user was subscribed, or to a conversation of the user. */
  readonly received: boolean;
  readonly mentionsChannel: boolean;
}

export type WireFlag =
  | 'read'
  | 'starred'
  | 'collapsed'
  | 'mentioned'
  | 'stream_wildcard_mentioned'
  | 'topic_wildcard_mentioned'
  | 'wildcard_mentioned'
  | 'has_alert_word'
  | 'historical';

/** The flags in the form of the API (interface document, "Message"). */
export function wireFlags(facts: FlagFacts): WireFlag[] {
  const { bits } = facts;
  const flags: WireFlag[] = [];
  if (!facts.isUnread) flags.push('read');
  if ((bits & FlagBit.starred) !== 0) flags.push('starred');
  if ((bits & FlagBit.collapsed) !== 0) flags.push('collapsed');
  if ((bits & FlagBit.mentioned) !== 0) flags.push('mentioned');
  const channelWildcard = facts.mentionsChannel && facts.received;
  const topicWildcard = (bits & FlagBit.topicMentioned) !== 0;
  if (channelWildcard) flags.push('stream_wildcard_mentioned');
  if (topicWildcard) flags.push('topic_wildcard_mentioned');
  if (channelWildcard || topicWildcard) flags.push('wildcard_mentioned');
  if ((bits & FlagBit.alerted) !== 0) flags.push('has_alert_word');
  // A mention reaches bots that are not subscribed. For them, the message is not history.
  if (!facts.received && (bits & FlagBit.mentioned) === 0) flags.push('historical');
  return flags;
}

const members = new Map<number, string>();

/**
 * Returns the flags as a member of a JSON object. The cache saves serializing them for every recipient, because there
 * are few combinations.
 */
export function flagsMember(facts: FlagFacts): string {
  const key = facts.bits * 8 + Number(facts.isUnread) * 4 + Number(facts.received) * 2 + Number(facts.mentionsChannel);
  let member = members.get(key);
  if (member === undefined) {
    member = `"flags":${JSON.stringify(wireFlags(facts))}`;
    members.set(key, member);
  }
  return member;
}
