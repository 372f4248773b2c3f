import { getMessages, updateMessage } from '@heddle/client/calls/operations.ts';
import { narrowOfPlace, wireNarrow } from '@heddle/client/model/messages/narrow.ts';
import { type TopicPlace, unresolvedName } from '@heddle/client/model/messages/places.ts';
import type { App } from '../../base/app.tsx';
import { followMove } from '../following.ts';

/** Removes the mark of a resolved topic. The open conversation and its text follow the new name. */
export async function unresolve(app: App, place: TopicPlace): Promise<void> {
  const { model, connection } = app;
  const narrow = wireNarrow(narrowOfPlace(place, model.ownId));
  const query = { narrow, anchor: 'newest', num_before: 1, num_after: 0, allow_empty_topic_name: true } as const;
  const { messages } = await getMessages(connection, query);
  const [newest] = messages;
  if (newest === undefined) return;
  const topic = unresolvedName(place.topic);
  await updateMessage(connection, { message_id: newest.id, topic, propagate_mode: 'change_all' });
  followMove(app, place, { ...place, topic });
}
