/** Changes of a guest's accessible users as a whole. They reset the guest's queues. */
import { sql } from 'kysely';
import type { Change } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import type { StateDelta } from '../../../directory/state-deltas.ts';
import { resetQueues } from './queue-resets.ts';

/**
 * The organization starts or stops hiding people from guests. Call it after the event with the setting.
 * @param hides the new state
 */
export async function announceHiding(change: Change, hides: boolean): Promise<void> {
  const { db, directory } = change;
  if (hides === directory.hidesPeople) return;
  const guests = directory.users.values().filter(({ role }) => role === Role.guest);
  const userIds = [...guests.map(({ id }) => id)];
  await db.deleteFrom('acquaintances').where('organization_id', '=', directory.organization.id).execute();
  if (hides) await noteContacts(change, userIds);
  resetQueues(
    change,
    userIds.filter((id) => directory.user(id)?.isActive),
  );
}

/** An account becomes a guest, or stops being one. Call it after the event with the role. */
export async function announceAccessOfRole(change: Change, before: UserRecord, after: UserRecord): Promise<void> {
  const { db, directory } = change;
  if (!directory.hidesPeople || (before.role === Role.guest) === (after.role === Role.guest)) return;
  if (after.role === Role.guest) await noteContacts(change, [after.id]);
  else {
    await db
      .deleteFrom('acquaintances')
      .where('organization_id', '=', directory.organization.id)
      .where('guest_id', '=', after.id)
      .execute();
  }
  resetQueues(change, [after.id]);
}

/**
 * Finds and stores the users whom these guests can access through direct conversations. Indexes: the primary key of
 * `direct_participants`, its index by conversation, and messages_by_conversation, one step per conversation.
 */
async function noteContacts({ db, directory, append }: Change, userIds: readonly number[]): Promise<void> {
  const organizationId = directory.organization.id;
  const { rows } = await sql<{ guest_id: number; others: number[] }>`
    WITH met AS (
      SELECT DISTINCT mine.user_id AS guest_id, other.user_id
        FROM direct_participants mine
        JOIN direct_conversations c ON c.organization_id = mine.organization_id AND c.id = mine.conversation_id,
             unnest(c.participants) AS other (user_id)
       WHERE mine.organization_id = ${organizationId} AND mine.user_id = ANY (${userIds}::integer[])
         AND other.user_id <> mine.user_id
         AND EXISTS (SELECT FROM messages m
                      WHERE m.organization_id = mine.organization_id AND m.conversation_id = mine.conversation_id)
         AND NOT EXISTS (SELECT FROM users
                          WHERE organization_id = ${organizationId} AND id = other.user_id AND is_bot)
    ), noted AS (
      INSERT INTO acquaintances (organization_id, guest_id, user_id)
      SELECT ${organizationId}, guest_id, user_id FROM met
    )
    SELECT guest_id, array_agg(user_id ORDER BY user_id) AS others FROM met GROUP BY guest_id ORDER BY guest_id`.execute(
    db,
  );
  const deltas = rows.map(({ guest_id: userId, others }): StateDelta => ({ delta: 'acquainted', userId, others }));
  if (deltas.length > 0) append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
}
