/** The table of notifications that wait to be sent or removed: claims and results. */
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Notifications per run. */
export const NOTIFICATIONS_PER_RUN = 200;
/** The maximum of attempts, over about half an hour. */
const MAX_ATTEMPTS = 6;
/** Later a notification is of no use any more; in seconds. */
const DELIVERY_TIME_LIMIT_SECONDS = 3600;
/** Shown notifications per user; older ones are not removed from phones. As many fit into one removal (public reference). */
export const MAX_SHOWN_NOTIFICATIONS_PER_USER = 200;

export interface Waiting {
  readonly organization_id: number;
  readonly user_id: number;
  readonly message_id: number;
  readonly cause: string;
  readonly group_id: number | null;
  readonly state: 'due' | 'leaving';
  /** Including this one. */
  readonly attempts: number;
  /** Whether there will be no other attempt. */
  readonly is_last: boolean;
}

/**
 * Claims due rows, the oldest first. Each is postponed at once, for a minute, two, … So no other process takes it, and the row of a killed
 * process is retried. Index: push_notifications_due.
 */
export async function claimDue(db: Db): Promise<readonly Waiting[]> {
  const { rows } = await sql<Waiting>`
    UPDATE push_notifications n
       SET attempts = attempts + 1, due_at = now() + make_interval(secs => least(60 * 2 ^ least(attempts, 5), 900))
      FROM (SELECT organization_id, user_id, message_id FROM push_notifications WHERE due_at <= now()
             ORDER BY due_at LIMIT ${NOTIFICATIONS_PER_RUN} FOR UPDATE SKIP LOCKED) AS due
     WHERE n.organization_id = due.organization_id AND n.user_id = due.user_id AND n.message_id = due.message_id
    RETURNING n.organization_id, n.user_id, n.message_id, cause, group_id, state, attempts,
              attempts >= ${MAX_ATTEMPTS} OR added_at < now() - make_interval(secs => ${DELIVERY_TIME_LIMIT_SECONDS}) AS is_last`.execute(
    db,
  );
  return rows;
}

/** Phones show these now. Those that were read meanwhile become due for removal at once. */
export async function noteShown(db: Db, organizationId: number, sent: readonly Waiting[]): Promise<void> {
  if (sent.length === 0) return;
  await sql`
    UPDATE push_notifications n
       SET attempts = 0, due_at = CASE WHEN n.state = 'due' THEN NULL ELSE now() END,
           state = CASE WHEN n.state = 'due' THEN 'shown' ELSE n.state END
      FROM ${named(sent)}
     WHERE n.organization_id = ${organizationId} AND n.user_id = one.user_id AND n.message_id = one.message_id`.execute(
    db,
  );
  const users = [...new Set(sent.map(({ user_id }) => user_id))];
  await sql`
    DELETE FROM push_notifications n
     USING (SELECT user_id, message_id, row_number() OVER (PARTITION BY user_id ORDER BY message_id DESC) AS place
              FROM push_notifications
             WHERE organization_id = ${organizationId} AND user_id = ANY (${users}::integer[]) AND state = 'shown') AS old
     WHERE old.place > ${MAX_SHOWN_NOTIFICATIONS_PER_USER} AND n.organization_id = ${organizationId} AND n.user_id = old.user_id
       AND n.message_id = old.message_id`.execute(db);
}

/** These were not sent and need not be. An earlier attempt may have reached the phone all the same; for those a removal is sent. */
export async function forget(db: Db, organizationId: number, some: readonly Waiting[]): Promise<void> {
  const [tried, untried] = [some.filter(isTried), some.filter((one) => !isTried(one))];
  if (tried.length > 0) {
    await sql`
      UPDATE push_notifications n SET state = 'leaving', attempts = 0, due_at = now() FROM ${named(tried)}
       WHERE n.organization_id = ${organizationId} AND n.user_id = one.user_id AND n.message_id = one.message_id`.execute(
      db,
    );
  }
  await remove(db, organizationId, untried);
}

function isTried({ state, attempts }: Waiting): boolean {
  return state === 'due' && attempts > 1;
}

/** Phones no longer show these, or there are no attempts left. */
export async function remove(db: Db, organizationId: number, some: readonly Waiting[]): Promise<void> {
  if (some.length === 0) return;
  await sql`
    DELETE FROM push_notifications n USING ${named(some)}
     WHERE n.organization_id = ${organizationId} AND n.user_id = one.user_id AND n.message_id = one.message_id`.execute(
    db,
  );
}

/** There was no time for these: they come next. */
export async function putBack(db: Db, organizationId: number, some: readonly Waiting[]): Promise<void> {
  if (some.length === 0) return;
  await sql`
    UPDATE push_notifications n SET attempts = greatest(n.attempts - 1, 0), due_at = now() FROM ${named(some)}
     WHERE n.organization_id = ${organizationId} AND n.user_id = one.user_id AND n.message_id = one.message_id`.execute(
    db,
  );
}

function named(some: readonly Waiting[]) {
  return sql`unnest(${some.map(({ user_id }) => user_id)}::integer[], ${some.map(({ message_id }) => message_id)}::bigint[])
                    AS one (user_id, message_id)`;
}
