/** The table of notifications that wait to be sent to browsers, or removed from them: claims and results. */
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { type FreeLanes, VENDORS } from './lanes.ts';

/** Notifications of a push service per run. */
export const NOTIFICATIONS_PER_RUN = 2000;
/** Organizations whose notifications share a run. */
const ORGANIZATIONS_PER_RUN = 20;
/** The maximum of attempts, over about half an hour. */
const MAX_ATTEMPTS = 6;
/** Later a notification is of no use any more; in seconds. */
const DELIVERY_TIME_LIMIT_SECONDS = 3600;
/** Shown notifications per browser; older ones are not removed from it. */
const MAX_SHOWN_NOTIFICATIONS_PER_BROWSER = 200;

export interface Waiting {
  readonly organization_id: number;
  readonly user_id: number;
  readonly subscription_id: number;
  readonly message_id: number;
  /** In which the browser shows it, or will show it after the push. */
  readonly conversation: string;
  /** Whether the message is in another conversation than the one in which the browser may show it. */
  readonly hasMoved?: boolean;
  readonly cause: string;
  readonly group_id: number | null;
  /** `shown`: the browser shows an old text. */
  readonly state: 'due' | 'shown' | 'leaving';
  /** Including this one. */
  readonly attempts: number;
  /** Whether there will be no other attempt. */
  readonly is_last: boolean;
  /** Whether it is `due` for so long that it is of no use any more. Removals and new texts are of use later, too. */
  readonly is_late: boolean;
}

/**
 * Some push services with due notifications, by chance. Walks the index from host to host, however many notifications wait.
 * @param except services to leave out
 * @param quick names of quick services
 */
export async function hostsWithDue(
  db: Db,
  except: readonly string[],
  quick: readonly string[],
  free: FreeLanes,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    WITH RECURSIVE host AS (
      (SELECT host AS name FROM web_push_notifications WHERE due_at IS NOT NULL ORDER BY host LIMIT 1)
      UNION ALL
      SELECT (SELECT n.host FROM web_push_notifications n WHERE n.due_at IS NOT NULL AND n.host > host.name ORDER BY n.host LIMIT 1)
        FROM host WHERE host.name IS NOT NULL
    )
    SELECT name
      FROM (SELECT name, kind, row_number() OVER (PARTITION BY kind ORDER BY random()) AS place
              FROM (SELECT name, CASE WHEN name ~ ${VENDORS} THEN 'vendor'
                                      WHEN name = ANY (${quick}::text[]) THEN 'quick'
                                      ELSE 'other' END AS kind
                      FROM host
                     WHERE name <> ALL (${except}::text[])
                       AND EXISTS (SELECT FROM web_push_notifications n WHERE n.host = host.name AND n.due_at <= now())
                   ) AS found) AS drawn
     WHERE place <= CASE kind WHEN 'vendor' THEN ${free.vendor}::integer
                              WHEN 'quick' THEN ${free.quick}::integer
                              ELSE ${free.other}::integer END`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Claims due rows of a push service. Organizations take turns, and the oldest rows of each come first. With more organizations than
 * `ORGANIZATIONS_PER_RUN`, each run takes others by chance. A row is postponed at once, for a minute, two, … So no other process takes it, and
 * the row of a killed process is retried. Index: web_push_notifications_by_turn, with one step per organization.
 */
export async function claimDue(db: Db, host: string): Promise<readonly Waiting[]> {
  const { rows } = await sql<Waiting>`
    WITH RECURSIVE organization AS (
      (SELECT organization_id AS id FROM web_push_notifications
        WHERE host = ${host} AND due_at IS NOT NULL ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (SELECT n.organization_id FROM web_push_notifications n
               WHERE n.host = ${host} AND n.due_at IS NOT NULL AND n.organization_id > organization.id
               ORDER BY n.organization_id LIMIT 1)
        FROM organization WHERE organization.id IS NOT NULL
    ), turn AS (
      SELECT id FROM organization
       WHERE EXISTS (SELECT FROM web_push_notifications n
                      WHERE n.host = ${host} AND n.organization_id = organization.id AND n.due_at <= now())
       ORDER BY random() LIMIT ${ORGANIZATIONS_PER_RUN}
    ), chosen AS MATERIALIZED (
      SELECT due.organization_id, due.user_id, due.message_id, due.subscription_id
        FROM turn
       CROSS JOIN LATERAL (
             SELECT n.*, row_number() OVER (ORDER BY n.due_at, n.message_id) AS place
               FROM (SELECT organization_id, user_id, message_id, subscription_id, due_at FROM web_push_notifications
                      WHERE host = ${host} AND organization_id = turn.id AND due_at <= now()
                      ORDER BY due_at, message_id LIMIT ${NOTIFICATIONS_PER_RUN}) AS n) AS due
       ORDER BY due.place, due.due_at LIMIT ${NOTIFICATIONS_PER_RUN}
    )
    UPDATE web_push_notifications n
       SET attempts = attempts + 1, due_at = now() + make_interval(secs => least(60 * 2 ^ least(attempts, 5), 900)),
           is_changed = false
      FROM (SELECT one.organization_id, one.user_id, one.message_id, one.subscription_id
              FROM chosen JOIN web_push_notifications one USING (organization_id, user_id, message_id, subscription_id)
             WHERE one.due_at <= now()
               FOR UPDATE OF one SKIP LOCKED) AS due
     WHERE n.organization_id = due.organization_id AND n.user_id = due.user_id AND n.message_id = due.message_id
       AND n.subscription_id = due.subscription_id
    RETURNING n.organization_id, n.user_id, n.subscription_id, n.message_id, conversation, cause, group_id, state, attempts,
              attempts >= ${MAX_ATTEMPTS} OR (${IS_LATE}) AS is_last, (${IS_LATE}) AS is_late`.execute(db);
  return rows;
}

const IS_LATE = sql<boolean>`state = 'due' AND added_at < now() - make_interval(secs => ${sql.lit(DELIVERY_TIME_LIMIT_SECONDS)})`;

/**
 * The push service has accepted these. What was removed or edited meanwhile is due at once.
 * @param some all of one organization, as for the other functions
 */
export async function noteSent(db: Db, organizationId: number, some: readonly Waiting[]): Promise<void> {
  if (some.length === 0) return;
  const [shown, left] = [some.filter(({ state }) => state !== 'leaving'), some.filter(isLeaving)];
  await remove(db, organizationId, left);
  if (shown.length === 0) return;
  await sql`
    UPDATE web_push_notifications n
       SET attempts = 0, is_changed = false, conversation = one.conversation,
           due_at = CASE WHEN n.state = 'leaving' OR n.is_changed THEN now() END,
           state = CASE WHEN n.state = 'due' THEN 'shown' ELSE n.state END
      FROM ${named(shown)} WHERE ${isNamed(organizationId)}`.execute(db);
}

/** The browsers have got these: notes when, and drops what they show for longest if it is too much. */
export async function noteNotified(db: Db, organizationId: number, some: readonly Waiting[]): Promise<void> {
  const shown = some.filter((one) => !isLeaving(one));
  if (shown.length === 0) return;
  const subscriptions = [...new Set(shown.map(({ subscription_id }) => subscription_id))];
  const users = [...new Set(shown.map(({ user_id }) => user_id))];
  await sql`
    UPDATE web_push_subscriptions SET notified_at = now()
     WHERE organization_id = ${organizationId} AND user_id = ANY (${users}::integer[])
       AND id = ANY (${subscriptions}::bigint[])`.execute(db);
  if (!shown.some(({ state }) => state === 'due')) return;
  await sql`
    DELETE FROM web_push_notifications n
     USING (SELECT user_id, message_id, subscription_id,
                   row_number() OVER (PARTITION BY subscription_id ORDER BY message_id DESC) AS place
              FROM web_push_notifications
             WHERE organization_id = ${organizationId} AND user_id = ANY (${users}::integer[])
               AND subscription_id = ANY (${subscriptions}::bigint[]) AND state = 'shown') AS old
     WHERE old.place > ${MAX_SHOWN_NOTIFICATIONS_PER_BROWSER} AND n.organization_id = ${organizationId}
       AND n.user_id = old.user_id AND n.message_id = old.message_id AND n.subscription_id = old.subscription_id`.execute(
    db,
  );
}

function isLeaving({ state }: Waiting): boolean {
  return state === 'leaving';
}

/** These were not sent and need not be. An earlier attempt may have reached the browser all the same; for those a removal is sent. */
export async function forget(db: Db, organizationId: number, some: readonly Waiting[]): Promise<void> {
  const isPerhapsShown = ({ state, attempts }: Waiting) => state === 'shown' || (state === 'due' && attempts > 1);
  const tried = some.filter(isPerhapsShown);
  if (tried.length > 0) {
    await sql`
      UPDATE web_push_notifications n SET state = 'leaving', attempts = 0, due_at = now()
        FROM ${named(tried)} WHERE ${isNamed(organizationId)}`.execute(db);
  }
  await remove(
    db,
    organizationId,
    some.filter((one) => !isPerhapsShown(one)),
  );
}

/**
 * There are no attempts left for these. What was withdrawn meanwhile is removed with new attempts, and so is what the browser may show all the
 * same. A browser that shows an old text keeps it.
 * @param unclear those that the push service may have accepted
 */
export async function giveUp(
  db: Db,
  organizationId: number,
  some: readonly Waiting[],
  unclear: ReadonlySet<Waiting>,
): Promise<void> {
  const [left, others] = [some.filter(isLeaving), some.filter((one) => !isLeaving(one))];
  await remove(db, organizationId, left);
  const unsent = others.filter((one) => one.state === 'due' && !unclear.has(one));
  if (unsent.length > 0) {
    await sql`
      DELETE FROM web_push_notifications n USING ${named(unsent)}
       WHERE ${isNamed(organizationId)} AND n.state = 'due'`.execute(db);
  }
  if (others.length === 0) return;
  await sql`
    UPDATE web_push_notifications n
       SET attempts = 0, is_changed = false,
           due_at = CASE WHEN n.state <> 'shown' OR n.is_changed THEN now() END,
           state = CASE WHEN n.state = 'due' THEN 'leaving' ELSE n.state END
      FROM ${named(others)} WHERE ${isNamed(organizationId)}`.execute(db);
}

/** Browsers no longer show these. */
async function remove(db: Db, organizationId: number, some: readonly Waiting[]): Promise<void> {
  if (some.length === 0) return;
  await sql`
    DELETE FROM web_push_notifications n USING ${named(some)} WHERE ${isNamed(organizationId)}`.execute(db);
}

/** Nobody has tried to send these: they come next, or after the pause that the push service wants. */
export async function putBack(
  db: Db,
  organizationId: number,
  some: readonly Waiting[],
  afterSeconds: number,
): Promise<void> {
  if (some.length === 0) return;
  await sql`
    UPDATE web_push_notifications n
       SET attempts = greatest(n.attempts - 1, 0), due_at = now() + make_interval(secs => ${afterSeconds})
      FROM ${named(some)} WHERE ${isNamed(organizationId)}`.execute(db);
}

/** The push service did not take these, and wants a pause. */
export async function postpone(
  db: Db,
  organizationId: number,
  some: readonly Waiting[],
  afterSeconds: number,
): Promise<void> {
  if (some.length === 0 || afterSeconds === 0) return;
  await sql`
    UPDATE web_push_notifications n SET due_at = greatest(n.due_at, now() + make_interval(secs => ${afterSeconds}))
      FROM ${named(some)} WHERE ${isNamed(organizationId)}`.execute(db);
}

function named(some: readonly Waiting[]) {
  return sql`unnest(${some.map(({ user_id }) => user_id)}::integer[], ${some.map(({ message_id }) => message_id)}::bigint[],
                    ${some.map(({ subscription_id }) => subscription_id)}::bigint[],
                    ${some.map(({ conversation }) => conversation)}::text[])
                    AS one (user_id, message_id, subscription_id, conversation)`;
}

function isNamed(organizationId: number) {
  return sql`n.organization_id = ${organizationId} AND n.user_id = one.user_id AND n.message_id = one.message_id
         AND n.subscription_id = one.subscription_id`;
}
