import { badRequest } from '@heddle/api/errors.ts';
import type { Db } from '../../db/schema.ts';

interface Account {
  readonly organizationId: number;
  readonly userId: number;
}

/**
 * Everything that the account has stored, or the given keys. An empty list means all, as in the reference.
 * @throws ApiError `BAD_REQUEST`: a key has no value
 */
export async function stored(
  db: Db,
  { organizationId, userId }: Account,
  keys: readonly string[] = [],
): Promise<Record<string, string>> {
  let query = db
    .selectFrom('bot_storage')
    .select(['key', 'value'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId);
  if (keys.length > 0) query = query.where('key', 'in', [...new Set(keys)]);
  const rows = await query.orderBy('key').execute();
  if (keys.length > 0 && rows.length < new Set(keys).size) throw noSuchKey();
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

export function noSuchKey() {
  return badRequest('Key does not exist.');
}
