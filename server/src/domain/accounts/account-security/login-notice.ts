/** Mails about new logins to an account (reference: `enable_login_emails`). */

import { sql } from 'kysely';
import { ignoreRefusedWrite } from '../../../db/failures.ts';
import { inRepeatedTransaction } from '../../../db/transaction.ts';
import { lockUsers } from '../../../db/user-locks.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import type { RequestOrigin } from '../../../http/requests/route.ts';
import { queueMail } from '../../../mail/kind.ts';
import { isMailable } from '../../../mail/mail.ts';
import { deviceOf } from '../../credentials/device.ts';
import { completeSettings, storedSettings } from '../../users/user-settings/queries.ts';
import { newLoginMail } from './mail-kinds.ts';

/** Seconds. The login right after signing up needs no notice. */
const RECENT_SIGNUP_SECONDS = 60;
/** Per account and day. More mails would tell the user nothing new. */
const MAX_MAILS_PER_DAY = 20;

/** Call this after a login has given a session or a key. If the database refuses changes, people still log in, without a notice. */
export async function noticeLogin(
  app: Pick<AppContext, 'pool' | 'jobs'>,
  organization: Organization,
  user: UserRecord,
  { userAgent, remoteAddress }: RequestOrigin,
): Promise<void> {
  if (Date.now() / 1000 - user.joinedAt <= RECENT_SIGNUP_SECONDS || !isMailable(user.deliveryEmail)) return;
  const organizationId = organization.id;
  const isCaused = await inRepeatedTransaction(app.pool, async (db) => {
    const stored = await storedSettings(db, organizationId, user.id);
    if (stored === undefined || !completeSettings(stored).enable_login_emails) return false;
    // Concurrent logins are all counted.
    await lockUsers(db, organizationId, [user.id]);
    const { numAffectedRows } = await sql`
      INSERT INTO login_notices (organization_id, user_id)
      SELECT ${organizationId}, ${user.id}
       WHERE (SELECT count(*) FROM login_notices
               WHERE organization_id = ${organizationId} AND user_id = ${user.id}
                 AND noticed_at > now() - interval '1 day') < ${MAX_MAILS_PER_DAY}`.execute(db);
    if (numAffectedRows !== 1n) return false;
    const { browser, system } = deviceOf(userAgent);
    const device = `${browser ?? 'an unknown program'} on ${system ?? 'an unknown system'}`;
    const about = { userId: user.id, device, browser, system, remoteAddress, at: new Date().toISOString() };
    await queueMail(db, newLoginMail, { organizationId, about });
    return true;
  }).catch(ignoreRefusedWrite);
  if (isCaused) app.jobs.wake();
}
