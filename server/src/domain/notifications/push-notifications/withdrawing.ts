/** Finds notifications that devices must no longer show: the message was read or deleted, or no longer mentions the user. */
import { type RawBuilder, sql } from 'kysely';
import { isUnread } from '../../../access/unread-messages.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import type { DeletionBody } from '../../editing/deleting/events.ts';
import { messageUpdateBody } from '../../editing/editing/body.ts';
import { mentionedNow } from '../../editing/editing/readers.ts';
import type { FlagsBody } from '../../reading/read-state/events.ts';

/** The users and messages that the events touch. The current state of the messages decides. */
class Touched {
  /** All notifications of these users. */
  readonly users = new Set<number>();
  /** These messages, for all users. */
  readonly messages = new Set<number>();
  readonly pairs: { readonly userId: number; readonly messageId: number }[] = [];

  add({ audience }: LoggedEvent, messageIds: readonly number[]): void {
    if (audience.to !== 'users') for (const id of messageIds) this.messages.add(id);
    else
      for (const userId of audience.users) for (const messageId of messageIds) this.pairs.push({ userId, messageId });
  }
}

/** The notifications of phones and of browsers. The second table has a row per browser, with the same columns. */
const TABLES = ['push_notifications', 'web_push_notifications'] as const;
type Table = (typeof TABLES)[number];

/** Marks notifications for removal, or deletes those that were not sent yet. Returns whether there were any. */
export async function noteGone(
  db: DbTransaction,
  directory: Directory,
  events: readonly LoggedEvent[],
): Promise<boolean> {
  let isGone = false;
  for (const table of TABLES) isGone = (await noteGoneIn(table, db, directory, events)) || isGone;
  return isGone;
}

async function noteGoneIn(
  table: Table,
  db: DbTransaction,
  directory: Directory,
  events: readonly LoggedEvent[],
): Promise<boolean> {
  const organizationId = directory.organization.id;
  let isGone = false;
  const touched = new Touched();
  for (const event of events) {
    if (event.body === null) continue;
    if (event.type === 'delete_message') touched.add(event, (event.body as DeletionBody).messageIds);
    if (event.type === 'update_message_flags') noteFlags(event, touched);
    if (event.type === 'update_message')
      isGone = (await withdrawUnmentioned(table, db, organizationId, event)) || isGone;
  }
  if (touched.users.size + touched.messages.size + touched.pairs.length === 0) return isGone;
  return (await withdraw(table, db, organizationId, readOrDeleted(table, organizationId, touched))) || isGone;
}

function noteFlags(event: LoggedEvent, touched: Touched): void {
  const { op, flag, all, messageIds } = event.body as FlagsBody;
  if (op !== 'add' || flag !== 'read') return;
  if (all === true && event.audience.to === 'users')
    for (const userId of event.audience.users) touched.users.add(userId);
  else touched.add(event, messageIds);
}

/**
 * A message that the user can no longer read is not unread: the user left the channel, or the message moved out of it. Indexes:
 * <table>_by_message, the primary keys.
 */
function readOrDeleted(table: Table, organizationId: number, { users, messages, pairs }: Touched): RawBuilder<unknown> {
  return sql`
    SELECT one.user_id, one.message_id
      FROM (SELECT n.user_id, n.message_id
              FROM unnest(${pairs.map(({ userId }) => userId)}::integer[],
                          ${pairs.map(({ messageId }) => messageId)}::bigint[]) AS pair (user_id, message_id)
              JOIN ${sql.table(table)} n ON n.organization_id = ${organizationId} AND n.user_id = pair.user_id
               AND n.message_id = pair.message_id
            UNION
            SELECT user_id, message_id FROM ${sql.table(table)}
             WHERE organization_id = ${organizationId} AND message_id = ANY (${[...messages]}::bigint[])
            UNION
            SELECT user_id, message_id FROM ${sql.table(table)}
             WHERE organization_id = ${organizationId} AND user_id = ANY (${[...users]}::integer[])) AS one
      LEFT JOIN messages m ON m.organization_id = ${organizationId} AND m.id = one.message_id
     WHERE m.id IS NULL OR NOT ${isUnread({ organizationId, userId: sql.ref('one.user_id') })}`;
}

/** For users who were notified because of a mention that the new text lacks, and who do not want notifications of the whole channel. */
async function withdrawUnmentioned(
  table: Table,
  db: DbTransaction,
  organizationId: number,
  event: LoggedEvent,
): Promise<boolean> {
  const { content, channel, readers } = messageUpdateBody(event);
  if (content === null || channel === null || event.messageId === undefined || readers.mentionsChannel) return false;
  const still = mentionedNow(readers, FlagBit.mentioned | FlagBit.topicMentioned);
  return withdraw(
    table,
    db,
    organizationId,
    sql`
    SELECT n.user_id, n.message_id
      FROM ${sql.table(table)} n
      JOIN users u ON u.organization_id = ${organizationId} AND u.id = n.user_id
      LEFT JOIN subscriptions s ON s.organization_id = ${organizationId} AND s.user_id = n.user_id
       AND s.channel_id = ${channel.id} AND s.is_active
     WHERE n.organization_id = ${organizationId} AND n.message_id = ${event.messageId}
       AND n.cause IN ('mentioned', 'everyone') AND n.user_id <> ALL (${still}::integer[])
       AND NOT coalesce(s.push_notifications, (u.own_settings->>'enable_stream_push_notifications')::boolean, false)`,
  );
}

/**
 * Deletes what no process has begun to send. What may be on its way is removed afterwards: until then it keeps its due time.
 * @param gone rows of `user_id` and `message_id`
 */
async function withdraw(
  table: Table,
  db: DbTransaction,
  organizationId: number,
  gone: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql`
    WITH gone AS MATERIALIZED (${gone}), unsent AS (
      DELETE FROM ${sql.table(table)} n USING gone
       WHERE n.organization_id = ${organizationId} AND n.user_id = gone.user_id AND n.message_id = gone.message_id
         AND n.state = 'due' AND n.attempts = 0
    )
    UPDATE ${sql.table(table)} n
       SET state = 'leaving',
           due_at = CASE WHEN n.state = 'shown' AND n.attempts = 0 THEN now() ELSE n.due_at END
      FROM gone
     WHERE n.organization_id = ${organizationId} AND n.user_id = gone.user_id AND n.message_id = gone.message_id
       AND (n.state = 'shown' OR (n.state = 'due' AND n.attempts > 0))
    RETURNING n.user_id`.execute(db);
  return rows.length > 0;
}
