/** Who gets the weekly digest now. One transaction notes that an account has it and queues the mail: exactly once. */
import { sql } from 'kysely';
import Type from 'typebox';
import { PLAIN_SETTINGS } from '../../access/organization-settings.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import { inRepeatedTransaction } from '../../db/transaction.ts';
import { FIRST_SETTINGS } from '../../domain/users/user-settings/first-settings.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type Job, type JobKind, job } from '../../jobs/kind.ts';
import { type MailKind, queueMails } from '../../mail/kind.ts';
import { UNREACHABLE } from '../../mail/mail.ts';
import { DIGEST_PERIOD_DAYS } from './contents.ts';

/** Users who were seen since then know what happens; in days. */
const SEEN_WITHIN_DAYS = 5;
/** Less than a week, because a digest can be late. In days. */
const MIN_INTERVAL_DAYS = 6;
/** Accounts per transaction. */
const ACCOUNTS_PER_TRANSACTION = 200;

const about = Type.Object({ userId: Type.Integer() });
export const digestMail: MailKind<typeof about> = { name: 'digest', about, isBulk: true };

const nothing = Type.Object({});
/** Looks every quarter of an hour: a server that was down on the hour still sends digests on that day. */
const sendDigests: JobKind<typeof nothing> = {
  name: 'queue-digests',
  payload: nothing,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 900,
};

/** It writes outside the transaction of the job, which would hold its locks until the end. It can be repeated. */
export function digestJob({ pool, background, jobs }: Pick<AppContext, 'pool' | 'background' | 'jobs'>): Job {
  return job(sendDigests, async ({ signal }) => {
    for (const organizationId of await organizationsWithDigest(background)) {
      for (let queued = ACCOUNTS_PER_TRANSACTION; queued === ACCOUNTS_PER_TRANSACTION && !signal.aborted; ) {
        queued = await inRepeatedTransaction(pool, (db) => queueDigests(db, organizationId));
        if (queued > 0) jobs.wake();
      }
    }
  });
}

/**
 * The organizations whose day of the digest it is, in UTC, if they have something new. Those without news are not looked at again on that
 * day: what happens later on it is news a week later. Digests are off by default. Index: organizations_with_digest.
 */
async function organizationsWithDigest(db: Db): Promise<readonly number[]> {
  const weekday = sql.lit(PLAIN_SETTINGS.digest_weekday.default);
  const begin = sql`now() - make_interval(days => ${DIGEST_PERIOD_DAYS})`;
  const { rows } = await sql<{ id: number; has_news: boolean }>`
    SELECT id,
           coalesce((SELECT sent_at FROM messages WHERE organization_id = due.id ORDER BY messages.id DESC LIMIT 1) > ${begin}, false)
             OR EXISTS (SELECT FROM channels WHERE organization_id = due.id AND created_at > ${begin}) AS has_news
      FROM (SELECT id FROM organizations
             WHERE (settings->>'digest_emails_enabled')::boolean
               AND coalesce((settings->>'digest_weekday')::integer, ${weekday})
                 = extract(isodow FROM now() AT TIME ZONE 'UTC')::integer - 1
               AND digest_due_at <= now() AND deactivated_at IS NULL
             OFFSET 0) AS due
     ORDER BY id`.execute(db);
  const [withNews = [], quiet = []] = [true, false].map((hasNews) =>
    rows.filter(({ has_news: has }) => has === hasNews).map(({ id }) => id),
  );
  if (quiet.length === 0) return withNews;
  await sql`
    UPDATE organizations SET digest_due_at = (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'
     WHERE id = ANY (ARRAY(SELECT id FROM organizations WHERE id = ANY (${quiet}::integer[])
                              FOR NO KEY UPDATE SKIP LOCKED))`.execute(db);
  return withNews;
}

/** Returns how many accounts. Indexes: the primary keys. */
async function queueDigests(db: DbTransaction, organizationId: number): Promise<number> {
  const { rows } = await sql<{ user_id: number }>`
    INSERT INTO digests (organization_id, user_id)
    SELECT u.organization_id, u.id
      FROM users u
      LEFT JOIN presences p ON p.organization_id = u.organization_id AND p.user_id = u.id
      LEFT JOIN digests d ON d.organization_id = u.organization_id AND d.user_id = u.id
     WHERE u.organization_id = ${organizationId} AND u.is_active AND NOT u.is_bot
       AND u.delivery_email !~* ${UNREACHABLE}
       AND coalesce((u.own_settings->>'enable_digest_emails')::boolean, ${FIRST_SETTINGS.enable_digest_emails})
       AND greatest(u.date_joined, p.seen_at, p.active_at) < now() - make_interval(days => ${SEEN_WITHIN_DAYS})
       AND (d.queued_at IS NULL OR d.queued_at < now() - make_interval(days => ${MIN_INTERVAL_DAYS}))
     ORDER BY u.id LIMIT ${ACCOUNTS_PER_TRANSACTION}
    ON CONFLICT (organization_id, user_id) DO UPDATE SET queued_at = now()
       WHERE digests.queued_at < now() - make_interval(days => ${MIN_INTERVAL_DAYS})
    RETURNING user_id`.execute(db);
  const abouts = rows.map(({ user_id: userId }) => ({ userId }));
  await queueMails(db, digestMail, { organizationId, abouts });
  return rows.length;
}
