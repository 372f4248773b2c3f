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

/** The organizations whose day of the digest it is, in UTC. */
async function organizationsWithDigest(db: Db): Promise<readonly number[]> {
  const { digest_emails_enabled: enabled, digest_weekday: weekday } = PLAIN_SETTINGS;
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM organizations
     WHERE deactivated_at IS NULL
       AND coalesce((settings->>'digest_emails_enabled')::boolean, ${enabled.default})
       AND coalesce((settings->>'digest_weekday')::integer, ${weekday.default})
         = extract(isodow FROM now() AT TIME ZONE 'UTC')::integer - 1
     ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
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
