import { sql } from 'kysely';
import type { AppContext } from '../../extension/app-context.ts';

export interface StoredPassword {
  /** null: no such account. */
  readonly userId: number | null;
  /** null: the account has no password of its own. */
  readonly hash: string | null;
}

/** The password hash of the account with this address, in any case. Index: users_by_delivery_email. */
export async function passwordOf(
  app: Pick<AppContext, 'db'>,
  organizationId: number,
  username: string,
): Promise<StoredPassword> {
  const { rows } = await sql<{ id: number; password_hash: string | null }>`
    SELECT id, password_hash
      FROM users
     WHERE organization_id = ${organizationId} AND lower(delivery_email) = lower(${username.trim()})`.execute(app.db);
  const [row] = rows;
  return { userId: row?.id ?? null, hash: row?.password_hash ?? null };
}
