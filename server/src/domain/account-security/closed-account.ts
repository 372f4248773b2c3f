import type { Rooms } from '../../extension/rooms.ts';
import { queueMail } from '../../mail/kind.ts';
import { accountClosedMail } from './mail-kinds.ts';

/**
 * Queues a mail to a user whose account was closed, with the administrators' comment.
 * @param comment '' for none
 */
export async function tellOfClosing(
  rooms: Pick<Rooms, 'db' | 'jobs'>,
  organizationId: number,
  about: { readonly userId: number; readonly comment: string },
): Promise<void> {
  await queueMail(rooms.db, accountClosedMail, { organizationId, about });
  rooms.jobs.wake();
}
