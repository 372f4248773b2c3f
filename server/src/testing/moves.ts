/** What tests of moved messages have in common: channels to move between, messages, moves, and where messages are then. */
import type { Fields, TestClient } from './client.ts';
import type { Json } from './json.ts';
import type { NewChannelFields, TestServer } from './server.ts';

export interface Place {
  readonly name: string;
  readonly id: number;
}

let made = 0;

/** A new channel of the owner's without any message, with these people in it. */
export async function newPlace(
  server: TestServer,
  people: readonly TestClient[],
  fields: NewChannelFields = {},
): Promise<Place> {
  const name = `place ${++made}`;
  const principals = people.map(({ userId }) => userId);
  return { name, id: await server.emptyChannel(server.owner, name, { principals, ...fields }) };
}

/** So many messages in a topic, five at most: `0`, `1` and so on; their ids. */
export async function say(place: Place, topic: string, count: number, sender: TestClient) {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await sender.send(place.name, topic, `${n}`));
  return ids as [number, number, number, number, number];
}

/** Moves the message as the fields say, without a notice where it comes to. */
export function move(client: TestClient, id: number, fields: Fields): Promise<Json> {
  return client.ok('PATCH', `/messages/${id}`, { send_notification_to_new_thread: false, ...fields });
}

/** The words with which the move is refused. */
export async function refuseMove(client: TestClient, id: number, fields: Fields): Promise<string> {
  return (await client.fails('PATCH', `/messages/${id}`, fields)).msg;
}

/** The channel and the topic in which the reader finds it. */
export async function placeOf(reader: TestClient, id: number): Promise<[number, string]> {
  const { stream_id, subject } = (await reader.ok('GET', `/messages/${id}`, { allow_empty_topic_name: true })).message;
  return [stream_id, subject];
}
