import { badRequest } from '@heddle/api/errors.ts';
import type { Change } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { alertWordsDelta, alertWordsPart } from './alert-words.ts';

/** Words per user. Every message of the organization is searched for all of them. */
const MAX_ALERT_WORDS_PER_USER = 100;

/**
 * Adds words that the user does not have yet, ignoring case, and notifies the user's clients. White space around words
 * is removed, and empty words are skipped (public reference, "Add alert words").
 * @throws ApiError `BAD_REQUEST`: too many
 * @returns all words of the user
 */
export async function addAlertWords(
  change: Change,
  caller: UserRecord,
  asked: readonly string[],
): Promise<readonly string[]> {
  const before = change.directory.part(alertWordsPart).of(caller.id);
  const byCase = new Map(before.map((word) => [word.toLowerCase(), word]));
  for (const word of asked.map((one) => one.trim())) {
    if (word !== '' && !byCase.has(word.toLowerCase())) byCase.set(word.toLowerCase(), word);
  }
  const words = [...byCase.values()];
  if (words.length > MAX_ALERT_WORDS_PER_USER)
    throw badRequest(`Too many alert words (limit: ${MAX_ALERT_WORDS_PER_USER})`);
  await keep(change, caller, words);
  return words;
}

/**
 * Removes words, ignoring case, and notifies the user's clients. Words that the user does not have are skipped (public
 * reference, "Remove alert words").
 * @returns the remaining words
 */
export async function removeAlertWords(
  change: Change,
  caller: UserRecord,
  asked: readonly string[],
): Promise<readonly string[]> {
  const gone = new Set(asked.map((word) => word.toLowerCase()));
  const words = change.directory
    .part(alertWordsPart)
    .of(caller.id)
    .filter((word) => !gone.has(word.toLowerCase()));
  await keep(change, caller, words);
  return words;
}

async function keep({ db, directory, append }: Change, caller: UserRecord, words: readonly string[]): Promise<void> {
  const organizationId = directory.organization.id;
  if (words.length === 0) {
    await db
      .deleteFrom('alert_words')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', caller.id)
      .execute();
  } else {
    await db
      .insertInto('alert_words')
      .values({ organization_id: organizationId, user_id: caller.id, words: [...words] })
      .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ words: [...words] }))
      .execute();
  }
  append({
    type: 'alert_words',
    audience: { to: 'users', users: [caller.id] },
    body: { words },
    deltas: [alertWordsDelta(caller.id, words)],
  });
}
