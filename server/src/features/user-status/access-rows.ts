import * as statuses from '@heddle/api/endpoints/user-status.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(statuses.updateOwnStatus, 'always', '+++++b uuxu', () => ({ status_text: 'here' })),
  row(statuses.getUserStatus, 'of another', '++++++ uuxu', ({ colleague }) => ({ user_id: colleague.userId })),
  row(statuses.updateStatusOfUser, 'of another', '++bbbb uuxu', ({ colleague }) => ({
    ...{ user_id: colleague.userId, status_text: 'there' },
  })),
];
