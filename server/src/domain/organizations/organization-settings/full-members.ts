import { sql } from 'kysely';
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { Db } from '../../../db/schema.ts';
import type { Change } from '../../../directory/organization.ts';
import { type OrganizationRecord, Role } from '../../../directory/records.ts';
import { organizationDelta } from '../../../directory/state-deltas.ts';
import { announceFullMembers } from '../../user-groups/full-members.ts';

const DAY_SECONDS = 86_400;

/**
 * The latest time of joining that makes a member a full member now, in seconds since the epoch; undefined: any time.
 * @param threshold in days
 */
export function joinedThrough(threshold: number): number | undefined {
  if (threshold === 0) return undefined;
  return Math.max(0, Math.floor(Date.now() / 1000) - threshold * DAY_SECONDS);
}

/** The organization record with this time. */
export function withJoinedThrough(
  { fullMembersJoinedThrough: _, ...organization }: OrganizationRecord,
  time: number | undefined,
): OrganizationRecord {
  return time === undefined ? organization : { ...organization, fullMembersJoinedThrough: time };
}

/** The time as it is stored. */
export function storedTime(time: number | undefined): Date | null {
  return time === undefined ? null : new Date(time * 1000);
}

/** Makes members full members if their waiting period has passed, and announces it. */
export async function promoteFullMembers(change: Change): Promise<void> {
  const { db, directory, append } = change;
  const time = joinedThrough(organizationSetting(directory, 'waiting_period_threshold'));
  const before = directory.organization;
  if (time === before.fullMembersJoinedThrough) return;
  await db
    .updateTable('organizations')
    .set({ full_members_joined_through: storedTime(time) })
    .where('id', '=', before.id)
    .execute();
  const deltas = [organizationDelta(withJoinedThrough(before, time), before)];
  append({ type: 'realm', audience: { to: 'nobody' }, body: null, deltas });
  await announceFullMembers(change, time);
}

/**
 * The organizations in which a member's waiting period has passed. Reads the users of organizations with a waiting
 * period only. Index: organizations_with_waiting_period.
 */
export async function withNewFullMembers(db: Db): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id
      FROM organizations
     WHERE full_members_joined_through IS NOT NULL AND deactivated_at IS NULL
       AND EXISTS (SELECT FROM users
                    WHERE organization_id = organizations.id AND role = ${Role.member}
                      AND date_trunc('second', date_joined) > full_members_joined_through
                      AND date_joined <= now() - (settings->>'waiting_period_threshold')::float8 * interval '1 day')
     ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}
