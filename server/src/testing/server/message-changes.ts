/** Changes of messages that other users have sent. */
import assert from 'node:assert/strict';
import type { TestServer } from './server.ts';

/**
 * Moves messages of the root organization, one by one, as its owner, who must have access to them. Sends no notices.
 */
export async function moveMessages({ owner }: TestServer, ids: readonly number[], channelId: number, topic: string) {
  for (const id of ids) {
    const place = { stream_id: channelId, topic, send_notification_to_new_thread: false };
    const { status, body } = await owner.call('PATCH', `/messages/${id}`, place);
    assert(status === 200 || body.msg === 'Nothing to change', body.msg);
  }
}

/** Deletes messages of the root organization, one by one, as its owner, who must have access to them. */
export async function deleteMessages({ owner }: TestServer, ids: readonly number[]) {
  for (const id of ids) await owner.ok('DELETE', `/messages/${id}`);
}
