import * as sessions from '@heddle/api/endpoints/sessions.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(sessions.getSessions, 'always', '++++++ uuxu'),
  row(sessions.endSession, 'one that the caller does not have', 'nnnnnn uuxu', () => ({ session_id: '0'.repeat(16) })),
  row(sessions.endOtherSessions, 'always', '++++++ uuxu'),
];
