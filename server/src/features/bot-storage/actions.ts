import { MAX_STORED_ENTRIES } from '@heddle/api/endpoints/bot-storage.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { lockUsers } from '../../db/user-locks.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { noSuchKey } from './queries.ts';

/** Characters of all keys and values of an account. */
const MAX_STORED_CHARACTERS = 1_000_000;
/** Characters of a key: the maximum of an index. */
const MAX_KEY_LENGTH = 500;

/**
 * Stores texts by key; other keys stay.
 * @throws ApiError `BAD_REQUEST`: it is too much, and nothing is stored
 */
export async function store(
  { db, directory }: OptimisticChange,
  user: UserRecord,
  storage: Readonly<Record<string, string>>,
): Promise<void> {
  const organizationId = directory.organization.id;
  const entries = Object.entries(storage);
  for (const [key, value] of entries) {
    if (key.length > MAX_KEY_LENGTH) throw badRequest(`Keys have at most ${MAX_KEY_LENGTH} characters.`);
    if (key.includes('\0') || value.includes('\0')) throw badRequest('storage contains a null byte');
  }
  if (entries.length === 0) return;
  // The lock keeps the sum correct while others store for the same account.
  await lockUsers(db, organizationId, [user.id]);
  await sql`
    INSERT INTO bot_storage (organization_id, user_id, key, value)
    SELECT ${organizationId}, ${user.id}, key, value
      FROM unnest(${entries.map(([key]) => key)}::text[], ${entries.map(([, value]) => value)}::text[]) AS given (key, value)
    ON CONFLICT (organization_id, user_id, key) DO UPDATE SET value = excluded.value`.execute(db);
  const { rows } = await sql<{ characters: number; entries: number }>`
    SELECT coalesce(sum(char_length(key) + char_length(value)), 0)::integer AS characters, count(*)::integer AS entries
      FROM bot_storage WHERE organization_id = ${organizationId} AND user_id = ${user.id}`.execute(db);
  const [is = { characters: 0, entries: 0 }] = rows;
  if (is.characters > MAX_STORED_CHARACTERS) {
    const excess = is.characters - MAX_STORED_CHARACTERS;
    throw badRequest(
      `Request exceeds storage limit by ${excess} characters. The limit is ${MAX_STORED_CHARACTERS} characters.`,
    );
  }
  if (is.entries > MAX_STORED_ENTRIES) throw badRequest(`Too many entries (limit: ${MAX_STORED_ENTRIES})`);
}

/**
 * Deletes everything that is stored, or the given keys.
 * @throws ApiError `BAD_REQUEST`: a key has no value, and nothing is deleted
 */
export async function removeStored(
  { db, directory }: OptimisticChange,
  user: UserRecord,
  keys: readonly string[] = [],
): Promise<void> {
  const organizationId = directory.organization.id;
  await lockUsers(db, organizationId, [user.id]);
  let statement = db
    .deleteFrom('bot_storage')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', user.id);
  if (keys.length > 0) statement = statement.where('key', 'in', [...new Set(keys)]);
  const { numDeletedRows } = await statement.executeTakeFirst();
  if (keys.length > 0 && Number(numDeletedRows) < new Set(keys).size) throw noSuchKey();
}
