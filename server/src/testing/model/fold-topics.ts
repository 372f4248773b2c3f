import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';

/** Applies events about topic settings, as a client does. A part of `Picture` (fold.ts). */

/** Topic names ignore case. */
const isTopic = (stream_id: number, topic: string) => (one: Json) =>
  one.stream_id === stream_id && one.topic_name.toLowerCase() === topic.toLowerCase();

/** @param lost channels from which the client may have missed events
 * @returns the client's `user_topics` after an event */
export function changeTopic(topics: readonly Json[], event: Json, lost: ReadonlySet<number>): Json[] {
  const { stream_id, topic_name, last_updated, visibility_policy } = event;
  const isThis = isTopic(stream_id, topic_name);
  const before = topics.find(isThis)?.visibility_policy ?? 0;
  assert(lost.has(stream_id) || before !== visibility_policy, 'the policy is another than before');
  const others = topics.filter((one) => !isThis(one));
  return visibility_policy === 0 ? others : [...others, { stream_id, topic_name, last_updated, visibility_policy }];
}

/** Checks that an event for older clients agrees with the newer events before it, for channels that the user knows. */
export function checkMuted(topics: readonly Json[], { muted_topics }: Json): void {
  const own = topics.filter((one) => one.visibility_policy === 1).map((one) => `${one.topic_name} ${one.last_updated}`);
  for (const [, topic, since] of muted_topics) assert(own.includes(`${topic} ${since}`), `${topic} is muted`);
}

/** Whether a group of unread messages is counted. */
export function isHeardOf(topics: readonly Json[], { stream_id, topic }: Json, isInMutedChannel: boolean): boolean {
  const policy = topics.find(isTopic(stream_id, topic))?.visibility_policy ?? 0;
  return policy === 0 ? !isInMutedChannel : policy !== 1;
}

export function byTopic(a: Json, b: Json): number {
  return `${[a.stream_id, a.topic_name]}`.localeCompare(`${[b.stream_id, b.topic_name]}`);
}
