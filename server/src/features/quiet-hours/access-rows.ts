import * as quiet from '@heddle/api/endpoints/quiet-hours.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(quiet.updateQuietHours, 'always', '+++++b uuxu', () => ({ except_direct_messages: true })),
  row(quiet.getQuietHoursOfUser, 'of another', '+++++b uuxu', ({ colleague }) => ({ user_id: colleague.userId })),
];
