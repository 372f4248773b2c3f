import { queueMail } from '../../mail/kind.ts';
import type { Rooms } from '../rooms.ts';
import { accountClosedMail } from './mail-kinds.ts';

/**
 * Tells somebody by mail that their account was closed, and what the administrators say about it.
 * @param comment '' for nothing
 */
export async function tellOfClosing(
  rooms: Pick<Rooms, 'db' | 'jobs'>,
  organizationId: number,
  about: { readonly userId: number; readonly comment: string },
): Promise<void> {
  await queueMail(rooms.db, accountClosedMail, { organizationId, about });
  rooms.jobs.wake();
}
