/**
 * The scheduled messages that the server sent recently. A client can delete a message while the server sends it. The public API returns
 * success then: its server keeps delivered messages. We keep their ids for a day. No client's list is outdated for so long.
 */

import { sql } from 'kysely';
import Type from 'typebox';
import type { Db, DbTransaction } from '../../db/schema.ts';
import { job } from '../../jobs/kind.ts';

const REMEMBERED_HOURS = 24;
const FORGET_EVERY_SECONDS = 3600;

/** Remembers messages in the transaction that sends them. */
export async function rememberDelivered(
  db: DbTransaction,
  organizationId: number,
  rows: readonly { readonly user_id: number; readonly id: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  const delivered = rows.map(({ user_id, id }) => ({ organization_id: organizationId, user_id, id }));
  await db.insertInto('delivered_scheduled_messages').values(delivered).execute();
}

/**
 * Forgets one message, so that a second deletion fails. Index: the primary key.
 * @returns whether the user's message was remembered
 */
export async function takeDelivered(
  db: DbTransaction,
  organizationId: number,
  userId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('delivered_scheduled_messages')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Index: delivered_scheduled_messages_by_age. */
export async function forgetDelivered(db: Db | DbTransaction): Promise<void> {
  await sql`
    DELETE FROM delivered_scheduled_messages
     WHERE delivered_at < now() - make_interval(hours => ${REMEMBERED_HOURS})`.execute(db);
}

export const forgetDeliveredJob = job(
  {
    name: 'forget-delivered-messages',
    payload: Type.Object({}),
    maximumAttempts: 1,
    withinSeconds: 60,
    everySeconds: FORGET_EVERY_SECONDS,
  },
  ({ db }) => forgetDelivered(db),
);
