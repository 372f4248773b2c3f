import type { AppContext } from '../../../extension/app-context.ts';
import { queueMail } from '../../../mail/kind.ts';
import { accountClosedMail } from './mail-kinds.ts';

/**
 * Queues a mail to a user whose account was closed, with the administrators' comment.
 * @param comment '' for none
 */
export async function notifyOfClosing(
  app: Pick<AppContext, 'db' | 'jobs'>,
  organizationId: number,
  about: { readonly userId: number; readonly comment: string },
): Promise<void> {
  await queueMail(app.db, accountClosedMail, { organizationId, about });
  app.jobs.wake();
}
