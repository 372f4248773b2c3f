import assert from 'node:assert/strict';
import type { Json } from './client.ts';

/** Counts a message in the group that it belongs to. */
export function put(groups: Json[], isThis: (group: Json) => boolean, key: object, id: number): void {
  const group = groups.find(isThis);
  if (group === undefined) groups.push({ ...key, unread_message_ids: [id] });
  else group.unread_message_ids.push(id);
}

/** What is unread of messages that were moved stands in their new topic. */
export function moveUnread(streams: Json[], { message_ids, stream_id, new_stream_id, subject }: Json): void {
  const all = new Set(message_ids);
  const arriving: { place: { stream_id: number; topic: string }; id: number }[] = [];
  for (const group of streams) {
    const place = { stream_id: new_stream_id ?? stream_id, topic: subject ?? group.topic };
    for (const id of group.unread_message_ids) {
      if (!all.has(id)) continue;
      assert.equal(group.stream_id, stream_id, 'messages are moved from where the client has them');
      arriving.push({ place, id });
    }
    group.unread_message_ids = group.unread_message_ids.filter((id: number) => !all.has(id));
  }
  for (const { place, id } of arriving) {
    put(streams, (one) => one.stream_id === place.stream_id && one.topic === place.topic, place, id);
  }
}
