import { sql } from 'kysely';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Db } from '../../db/schema.ts';
import { organizationFact } from '../../directory/facts.ts';
import type { Change } from '../../directory/organization.ts';
import { type OrganizationRecord, Role } from '../../directory/records.ts';
import { announceFullMembers } from '../user-groups/actions.ts';

const DAY = 86_400;

/**
 * Until when members must have joined to be full ones now, in seconds since the epoch; undefined: whenever.
 * @param threshold in days
 */
export function joinedThrough(threshold: number): number | undefined {
  if (threshold === 0) return undefined;
  return Math.max(0, Math.floor(Date.now() / 1000) - threshold * DAY);
}

/** The organization with that time. */
export function withJoinedThrough(
  { fullMembersJoinedThrough: _, ...organization }: OrganizationRecord,
  time: number | undefined,
): OrganizationRecord {
  return time === undefined ? organization : { ...organization, fullMembersJoinedThrough: time };
}

/** As it is stored. */
export function storedTime(time: number | undefined): Date | null {
  return time === undefined ? null : new Date(time * 1000);
}

/** Makes full members of those who have been here for long enough by now, and tells everybody. */
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
  const facts = [organizationFact(withJoinedThrough(before, time), before)];
  append({ type: 'realm', audience: { to: 'nobody' }, body: null, facts });
  await announceFullMembers(change, time);
}

/** The organizations where somebody is to become a full member by now. Looks at the users of those only that have a waiting period. */
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
