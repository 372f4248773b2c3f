/** Tells people by mail that somebody has logged in to their account (reference: `enable_login_emails`). */
import { sql } from 'kysely';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { queueMail } from '../../mail/kind.ts';
import type { Rooms } from '../rooms.ts';
import { completeSettings } from '../user-settings/queries.ts';
import { newLoginMail } from './mail-kinds.ts';

/** Seconds: who has just signed up is in for the first time. */
const JUST_JOINED = 60;
/** Of an account, in a day: who gets as many knows. */
const MOST_A_DAY = 20;

/** Where a login came from. */
export interface LoginOrigin {
  readonly userAgent: string | undefined;
  readonly remoteAddress: string;
}

/** To be called when a login has given a session or a key. */
export async function noticeLogin(
  rooms: Pick<Rooms, 'db' | 'jobs'>,
  organization: Organization,
  user: UserRecord,
  { userAgent, remoteAddress }: LoginOrigin,
): Promise<void> {
  if (Date.now() / 1000 - user.joinedAt <= JUST_JOINED) return;
  const organizationId = organization.id;
  const isCaused = await rooms.db.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('users')
      .select('own_settings')
      .where('organization_id', '=', organizationId)
      .where('id', '=', user.id)
      .executeTakeFirst();
    if (row === undefined || !completeSettings(row.own_settings).enable_login_emails) return false;
    const { numAffectedRows } = await sql`
      INSERT INTO login_notices (organization_id, user_id)
      SELECT ${organizationId}, ${user.id}
       WHERE (SELECT count(*) FROM login_notices
               WHERE organization_id = ${organizationId} AND user_id = ${user.id}
                 AND noticed_at > now() - interval '1 day') < ${MOST_A_DAY}`.execute(db);
    if (numAffectedRows !== 1n) return false;
    const about = { userId: user.id, device: deviceOf(userAgent ?? ''), remoteAddress, at: new Date().toISOString() };
    await queueMail(db, newLoginMail, { organizationId, about });
    return true;
  });
  if (isCaused) rooms.jobs.wake();
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/zulip/i, 'Zulip'],
  [/edg(?:e|a|ios)?\//i, 'Edge'],
  [/opera|opr\//i, 'Opera'],
  [/chromium/i, 'Chromium'],
  [/chrome|crios/i, 'Chrome'],
  [/firefox|fxios/i, 'Firefox'],
  [/safari/i, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/android/i, 'Android'],
  [/windows/i, 'Windows'],
  [/iphone|ipad|\bios\b/i, 'iOS'],
  [/macintosh|mac ?os/i, 'macOS'],
  [/ cros /i, 'ChromeOS'],
  [/linux/i, 'Linux'],
];

/** What the login came by, in words of ours: nothing of what the client says is repeated. */
export function deviceOf(userAgent: string): string {
  const named = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return `${named(BROWSERS) ?? 'an unknown program'} on ${named(SYSTEMS) ?? 'an unknown system'}`;
}
