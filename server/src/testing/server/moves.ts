/** Helpers for tests of moved messages: channels, messages, moves, and the positions of messages. */
import type { Fields, TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import type { NewChannelFields, TestServer } from './server.ts';

export interface Place {
  readonly name: string;
  readonly id: number;
}

/** Numbers of equal length, so that names sort in the order in which they are made. */
let made = 1000;

/** A new empty channel of the owner, with these users as subscribers. */
export async function newPlace(
  server: TestServer,
  people: readonly TestClient[],
  fields: NewChannelFields = {},
): Promise<Place> {
  const name = `place ${++made}`;
  const principals = people.map(({ userId }) => userId);
  return { name, id: await server.emptyChannel(server.owner, name, { principals, ...fields }) };
}

/** Sends at most five messages to a topic: `0`, `1` and so on. Returns their ids. */
export async function say(place: Place, topic: string, count: number, sender: TestClient) {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await sender.send(place.name, topic, `${n}`));
  return ids as [number, number, number, number, number];
}

/** Moves the message with these fields, without a notice at the target. */
export function move(client: TestClient, id: number, fields: Fields): Promise<Json> {
  return client.ok('PATCH', `/messages/${id}`, { send_notification_to_new_thread: false, ...fields });
}

/** Returns the error message of a refused move. */
export async function refuseMove(client: TestClient, id: number, fields: Fields): Promise<string> {
  return (await client.fails('PATCH', `/messages/${id}`, fields)).msg;
}

/** The channel and the topic in which the reader finds the message. */
export async function placeOf(reader: TestClient, id: number): Promise<[number, string]> {
  const { stream_id, subject } = (await reader.ok('GET', `/messages/${id}`, { allow_empty_topic_name: true })).message;
  return [stream_id, subject];
}
