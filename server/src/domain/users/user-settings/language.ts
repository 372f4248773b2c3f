import type { Db, DbTransaction } from '../../../db/schema.ts';
import { type Language, languageFor } from '../../../languages/language.ts';
import { completeSettings } from './queries.ts';

/** The language of an account, for mails and pages. English if we do not have its language. Index: the primary key. */
export async function languageOfUser(
  db: Db | DbTransaction,
  organizationId: number,
  userId: number,
): Promise<Language> {
  const row = await db
    .selectFrom('users')
    .select('own_settings')
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return languageFor([completeSettings(row?.own_settings).default_language]);
}
