import type { Db, DbTransaction } from '../../../db/schema.ts';
import { type Language, languageFor } from '../../../languages/language.ts';
import { completeSettings, storedSettings } from './queries.ts';

/** The language of an account, for mails and pages. English if we do not have its language. Index: the primary key. */
export async function languageOfUser(
  db: Db | DbTransaction,
  organizationId: number,
  userId: number,
): Promise<Language> {
  const { default_language: language } = completeSettings(await storedSettings(db, organizationId, userId));
  return languageFor([language]);
}
