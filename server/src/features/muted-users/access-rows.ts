import * as mutes from '@heddle/api/endpoints/muted-users.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(mutes.muteUser, 'another', '++++++ uuxu', async (scene) => ({ muted_user_id: (await scene.person()).userId })),
  row(mutes.unmuteUser, 'who is not muted', 'bbbbbb uuxu', ({ owner, colleague, self }) => ({
    muted_user_id: (self === colleague ? owner : colleague).userId,
  })),
];
