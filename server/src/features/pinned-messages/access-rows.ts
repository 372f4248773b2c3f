import * as pins from '@heddle/api/endpoints/pinned-messages.ts';
import { type AccessRow, amongOthers, inClosed, inCommon, row } from '../../testing/access/access-row.ts';
import type { Scene } from '../../testing/access/access-scene.ts';
import type { Fields } from '../../testing/clients/client.ts';

export const rows: readonly AccessRow[] = [
  row(pins.pinMessage, 'what they can read', '++++b+ uuxu', async (scene) => ({
    ...{ message_id: await scene.message(), place: 'topic' },
  })),
  row(pins.pinMessage, 'of a private channel where they are not', 'bbbbbb uuxu', async ({ colleague, standing }) => ({
    ...{ message_id: await colleague.send(standing.closed, 'topic', 'content'), place: 'channel' },
  })),
  row(pins.pinMessage, 'where only administrators post', '++bbbb uuxu', async (scene) => inQuietChannel(scene)),
  row(pins.unpinMessage, 'what they can read', '++++b+ uuxu', async (scene) => {
    const message_id = await scene.message();
    await scene.colleague.ok('POST', `/messages/${message_id}/pin`, { place: 'topic' });
    return { message_id };
  }),
  row(pins.getPinnedMessages, 'where they are subscribed', '++++++ uuxu', inCommon),
  row(pins.getPinnedMessages, 'of a public channel where they are not', '++++b+ uuxu', amongOthers),
  row(pins.getPinnedMessages, 'of a private channel where they are not', 'bbbbbb uuxu', inClosed),
];

async function inQuietChannel(scene: Scene): Promise<Fields> {
  const { id } = await scene.channel();
  const message_id = await scene.colleague.send(id, 'topic', 'content');
  await scene.owner.ok('PATCH', `/streams/${id}`, { can_send_message_group: { new: await administrators(scene) } });
  return { message_id, place: 'topic' };
}

async function administrators({ owner }: Scene): Promise<number> {
  const { user_groups } = await owner.ok('GET', '/user_groups', { include_deactivated_groups: false });
  return user_groups.find(({ name }: { name: string }) => name === 'role:administrators').id;
}
