/** The last step of an import in the browser: the imported organization replaces the new one, and its owner keeps the login. */
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import { changeOf, type Hooks } from '../../../directory/change.ts';
import type { Directory } from '../../../directory/directory.ts';
import { Role } from '../../../directory/records.ts';
import { changeWithin, lockLog } from '../../../log/change.ts';
import { dropKeys } from '../../../storage/leftovers.ts';
import { addUser } from '../../accounts/accounts/actions.ts';
import { findImport, refusalToReplace } from './queries.ts';
import { reasonOf } from './rights.ts';
import type { ImportOutcome } from './tables.ts';

/** The replaced organization and the imported one. */
export interface Replacement {
  readonly replacedId: number;
  readonly organizationId: number;
}

interface OwnerRow {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly password_hash: string | null;
}

/**
 * Makes the imported person with the owner's address an owner. Call it before the imported organization is loaded.
 * @returns the id of that person; undefined if the archive has none, and `finishReplacement` adds the owner
 */
export async function findOwner(
  db: DbTransaction,
  { replacedId, organizationId }: Replacement,
): Promise<number | undefined> {
  const [owner, begun] = [await ownerOf(db, replacedId), await findImport(db, replacedId)];
  const { rows } = await sql<{ id: number }>`
    UPDATE users SET role = ${Role.owner}, is_active = true
     WHERE organization_id = ${organizationId} AND NOT is_bot AND lower(delivery_email) = lower(${begun?.owner_email ?? owner.email})
    RETURNING id`.execute(db);
  return rows[0]?.id;
}

/**
 * Moves the login of the owner, and deletes the replaced organization with everything that belongs to it.
 * @param found the result of `findOwner`
 * @throws ApiError `BAD_REQUEST`: the replaced organization is not new any more
 */
export async function finishReplacement(
  db: DbTransaction,
  { replacedId, organizationId }: Replacement,
  {
    directory,
    hooks,
    found,
    outcome,
  }: {
    readonly directory: Directory;
    readonly hooks: Hooks;
    readonly found: number | undefined;
    readonly outcome: ImportOutcome;
  },
): Promise<void> {
  // From here on, nothing changes in it. What waits for the lock is refused afterwards.
  await lockLog(db, replacedId);
  const refusal = await refusalToReplace(db, replacedId);
  if (refusal !== undefined) throw badRequest(reasonOf(refusal));
  const begun = await db
    .selectFrom('organization_imports')
    .selectAll()
    .where('organization_id', '=', replacedId)
    .forUpdate()
    .executeTakeFirst();
  if (begun?.state !== 'running') throw badRequest('The import was cancelled.');
  const owner = await ownerOf(db, replacedId);
  const sessions = await db
    .selectFrom('sessions')
    .select(['token_hash', 'created_at', 'used_at'])
    .where('organization_id', '=', replacedId)
    .where('user_id', '=', owner.id)
    .execute();
  await removeOrganization(db, replacedId);
  const userId = found ?? (await addOwner(db, organizationId, { directory, hooks, owner }));
  // A new password ends sessions, so they come later.
  if (found !== undefined) {
    await db
      .updateTable('users')
      .set({ password_hash: owner.password_hash })
      .where('organization_id', '=', organizationId)
      .where('id', '=', found)
      .execute();
  }
  if (sessions.length > 0) {
    await db
      .insertInto('sessions')
      .values(sessions.map((session) => ({ ...session, organization_id: organizationId, user_id: userId })))
      .execute();
  }
  const { filename, size, format } = begun;
  await db
    .insertInto('organization_imports')
    .values({
      ...{ organization_id: organizationId, user_id: userId, state: 'done', storage_key: null, filename, size, format },
      ...{ organization_name: null, owner_email: null, progress: null, problem: null, mails: null },
      report: outcome,
    })
    .execute();
}

/** The only person of the organization. */
async function ownerOf(db: DbTransaction, organizationId: number): Promise<OwnerRow> {
  return await db
    .selectFrom('users')
    .select(['id', 'delivery_email as email', 'full_name', 'password_hash'])
    .where('organization_id', '=', organizationId)
    .where('is_bot', '=', false)
    .where('role', '=', Role.owner)
    .orderBy('id')
    .executeTakeFirstOrThrow();
}

/** Nobody knows where the new owner belongs, so they are in the default channels, or else in all public ones. */
async function addOwner(
  db: DbTransaction,
  organizationId: number,
  { directory, hooks, owner }: { readonly directory: Directory; readonly hooks: Hooks; readonly owner: OwnerRow },
): Promise<number> {
  const open = [...directory.channels.values()].filter(({ isArchived, isPrivate }) => !isArchived && !isPrivate);
  const defaults = open.filter(({ isDefault }) => isDefault);
  const channels = (defaults.length > 0 ? defaults : open).slice(0, MAX_CHANNELS_OF_ADDED_OWNER);
  const { result } = await changeWithin(db, organizationId, (change) =>
    addUser(changeOf(change, directory, hooks), {
      ...{
        email: owner.email,
        fullName: owner.full_name,
        role: Role.owner,
        passwordHash: owner.password_hash,
        channels,
      },
    }),
  );
  return result.id;
}

const MAX_CHANNELS_OF_ADDED_OWNER = 100;

/** Deletes the rows of an organization that was hardly used. The server deletes its files later. */
async function removeOrganization(db: DbTransaction, organizationId: number): Promise<void> {
  const tables = await referringFirst(db);
  await sql`UPDATE users SET bot_owner_id = NULL WHERE organization_id = ${organizationId}`.execute(db);
  for (const { name, has_files } of tables) {
    if (has_files) {
      const { rows } = await sql<{ key: string }>`
        SELECT storage_key AS key FROM ${sql.table(name)}
         WHERE organization_id = ${organizationId} AND storage_key IS NOT NULL`.execute(db);
      await dropKeys(
        db,
        rows.map(({ key }) => key),
      );
    }
    await sql`DELETE FROM ${sql.table(name)} WHERE organization_id = ${organizationId}`.execute(db);
  }
  await sql`DELETE FROM organizations WHERE id = ${organizationId}`.execute(db);
}

interface OrganizationTable {
  readonly name: string;
  readonly refers_to: readonly string[];
  /** Whether its rows own files in the storage. */
  readonly has_files: boolean;
}

/** The tables with rows of organizations. Each comes before those that it refers to. */
async function referringFirst(db: DbTransaction): Promise<readonly OrganizationTable[]> {
  const { rows: tables } = await sql<OrganizationTable>`
    SELECT c.relname::text AS name,
           ARRAY(SELECT DISTINCT target.relname::text FROM pg_constraint f JOIN pg_class target ON target.oid = f.confrelid
                  WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS refers_to,
           EXISTS (SELECT FROM pg_attribute s WHERE s.attrelid = c.oid AND s.attname = 'storage_key' AND NOT s.attisdropped) AS has_files
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace`.execute(
    db,
  );
  const sorted: OrganizationTable[] = [];
  let left = tables;
  while (left.length > 0) {
    const needed = new Set(left.flatMap(({ refers_to }) => refers_to));
    const free = left.filter(({ name }) => !needed.has(name));
    if (free.length === 0)
      throw new Error(`these tables refer to each other: ${left.map(({ name }) => name).join(', ')}`);
    sorted.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return sorted;
}
