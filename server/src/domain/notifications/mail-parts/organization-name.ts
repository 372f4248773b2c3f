import { sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { Settings } from '../../users/user-settings/first-settings.ts';

/** The values of `realm_name_in_email_notifications_policy`. */
const Policy = { automatic: 1, always: 2, never: 3 } as const;

/**
 * The title of a mail about messages, with the name of the organization if the user wants it there. Automatic: if the
 * address has accounts in several organizations of this server. Index: users_by_delivery_email.
 */
export async function titleWithOrganization(
  db: DbTransaction,
  { organization }: Directory,
  user: Pick<UserRecord, 'deliveryEmail'>,
  settings: Settings,
  title: string,
): Promise<string> {
  const policy = settings.realm_name_in_email_notifications_policy;
  if (policy === Policy.never) return title;
  if (policy === Policy.automatic && !(await isInOthers(db, organization.id, user.deliveryEmail))) return title;
  return `${title} [${organization.name}]`;
}

async function isInOthers(db: DbTransaction, organizationId: number, address: string): Promise<boolean> {
  const { rows } = await sql<{ is_in_others: boolean }>`
    SELECT EXISTS (
             SELECT FROM users JOIN organizations ON organizations.id = users.organization_id
              WHERE lower(users.delivery_email) = lower(${address}) AND users.organization_id <> ${organizationId}
                AND users.is_active AND organizations.deactivated_at IS NULL) AS is_in_others`.execute(db);
  return rows[0]?.is_in_others === true;
}
