import type { EventOfType, InitialState, UserTopic } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';

/** How the user wants to see a topic. `inherit`: like its channel. */
export type TopicPolicy = 'inherit' | 'muted' | 'unmuted' | 'followed';

export interface TopicPolicyRecord {
  /** The spelling of the last change. */
  readonly topic: string;
  readonly policy: Exclude<TopicPolicy, 'inherit'>;
  /** Seconds since the epoch. */
  readonly updatedAt: number;
}

/** The numbers of the wire. */
const POLICIES: readonly TopicPolicy[] = ['inherit', 'muted', 'unmuted', 'followed'];

/** The number of a policy, for `POST /user_topics`. */
export function policyNumber(policy: TopicPolicy): number {
  return POLICIES.indexOf(policy);
}

/**
 * Muted, unmuted and followed topics.
 *
 * Invariants:
 * - Topic names ignore case: the keys are in lower case.
 * - A topic that inherits has no record.
 * - Policies stay when the channel is lost, because the server keeps them, too. While a channel is hidden, the client can
 *   miss changes.
 */
export class TopicPolicies {
  /** Notified when the policy of any topic changed. */
  readonly changes = new Subject();
  /** The same for the topics of one channel. */
  readonly changesOf = new KeyedSubject<number>();
  readonly #byChannel = new Map<number, Map<string, TopicPolicyRecord>>();

  constructor(state: InitialState) {
    for (const one of state.user_topics ?? []) this.#set(one);
  }

  policyOf(channelId: number, topic: string): TopicPolicy {
    return this.#byChannel.get(channelId)?.get(topic.toLowerCase())?.policy ?? 'inherit';
  }

  isFollowed(channelId: number, topic: string): boolean {
    return this.policyOf(channelId, topic) === 'followed';
  }

  /** Whether the topic is muted: itself, or with its channel. Direct messages never are. */
  isMuted(channelId: number, topic: string, isChannelMuted: boolean): boolean {
    const policy = this.policyOf(channelId, topic);
    return policy === 'inherit' ? isChannelMuted : policy === 'muted';
  }

  /** The topics of a channel that do not inherit, by their names in lower case. */
  ofChannel(channelId: number): ReadonlyMap<string, TopicPolicyRecord> {
    return this.#byChannel.get(channelId) ?? new Map();
  }

  /** All topics with this policy, the last changed one first. Visits all topics with any policy. */
  withPolicy(policy: TopicPolicy): (TopicPolicyRecord & { readonly channelId: number })[] {
    return [...this.#byChannel]
      .flatMap(([channelId, topics]) => [...topics.values()].map((record) => ({ ...record, channelId })))
      .filter((record) => record.policy === policy)
      .sort((a, b) => b.updatedAt - a.updatedAt);
  }

  apply(event: EventOfType<'user_topic'>): void {
    this.#set(event);
    this.changes.changed();
    this.changesOf.changed(event.stream_id);
  }

  #set({ stream_id: channelId, topic_name: topic, last_updated: updatedAt, visibility_policy }: UserTopic): void {
    const key = topic.toLowerCase();
    const policy = POLICIES[visibility_policy] ?? 'inherit';
    const topics = this.#byChannel.get(channelId) ?? new Map<string, TopicPolicyRecord>();
    if (policy === 'inherit') topics.delete(key);
    else topics.set(key, { topic, policy, updatedAt });
    if (topics.size === 0) this.#byChannel.delete(channelId);
    else this.#byChannel.set(channelId, topics);
  }

  /** The content in comparable form. */
  plain(): object {
    return [...this.#byChannel]
      .flatMap(([channelId, topics]) => [...topics].map(([key, record]) => ({ channelId, key, ...record })))
      .sort((a, b) => a.channelId - b.channelId || (a.key < b.key ? -1 : 1));
  }
}
