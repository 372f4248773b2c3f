import { getMessages } from '@heddle/client/calls/operations.ts';
import { narrowOfPlace, wireNarrow } from '@heddle/client/model/messages/narrow.ts';
import { keyOf, type TopicPlace, topicKey } from '@heddle/client/model/messages/places.ts';
import type { App } from '../base/app.tsx';

/** The id of a message of the topic, which the API needs to name it. Undefined if the topic has none. */
export async function messageIdOf({ model, connection }: App, place: TopicPlace): Promise<number | undefined> {
  const known = model.cache.topics.of(place.channelId).find(({ topic }) => topicKey(topic) === topicKey(place.topic));
  if (known !== undefined) return known.maxId;
  const { messages } = await getMessages(connection, {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: wireNarrow(narrowOfPlace(place, model.ownId)),
    allow_empty_topic_name: true,
  });
  return messages.at(-1)?.id;
}

/** A number of messages. Not exact if there are more than were counted. */
export interface MessageCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** The most messages in each direction that a preview counts on the server. */
const MAX_COUNTED_MESSAGES = 500;

/**
 * Counts the messages that a move concerns.
 * @param from the first message; undefined for all of the topic
 */
export async function countMessages(
  { model, connection }: App,
  place: TopicPlace,
  from: number | undefined,
): Promise<MessageCount> {
  const narrow = narrowOfPlace(place, model.ownId);
  const window = [...model.cache.windows.loaded()].find((one) => {
    const first = one.ids[0];
    const record = first === undefined ? undefined : model.cache.messages.get(first);
    return one.narrow.length === 2 && record !== undefined && keyOf(record.place) === keyOf(place);
  });
  if (
    window?.foundNewest &&
    !window.isStale &&
    (window.foundOldest || (from !== undefined && window.ids.includes(from)))
  ) {
    return { count: window.ids.filter((id) => from === undefined || id >= from).length, isExact: true };
  }
  const answer = await getMessages(connection, {
    anchor: from ?? 'newest',
    num_before: from === undefined ? 2 * MAX_COUNTED_MESSAGES : 0,
    num_after: from === undefined ? 0 : MAX_COUNTED_MESSAGES,
    narrow: wireNarrow(narrow),
    apply_markdown: false,
    client_gravatar: true,
    allow_empty_topic_name: true,
  });
  const isExact = (from === undefined ? answer.found_oldest : answer.found_newest) ?? false;
  return { count: answer.messages.length, isExact };
}
