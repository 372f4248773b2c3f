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
  for (const group of [...streams]) {
    const moved = group.unread_message_ids.filter((id: number) => message_ids.includes(id));
    if (moved.length > 0) assert.equal(group.stream_id, stream_id, 'messages are moved from where the client has them');
    group.unread_message_ids = group.unread_message_ids.filter((id: number) => !moved.includes(id));
    const place = { stream_id: new_stream_id ?? stream_id, topic: subject ?? group.topic };
    for (const id of moved) {
      put(streams, (one) => one.stream_id === place.stream_id && one.topic === place.topic, place, id);
    }
  }
}
