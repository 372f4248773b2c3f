/** The limit of failed logins holds for all processes together, except while the database accepts no changes. */
import { type History, type Login, ofKind } from '../history/records.ts';
import type { Violation } from '../history/violation.ts';

/** `loginAccount` in `server/src/http/limits/limits.ts`. */
const MAX_FAILED_LOGINS = 10;
const WINDOW_MS = 15 * 60_000;
const UNAUTHORIZED_CODE = 401;

export function checkLogins(history: History): readonly Violation[] {
  const faults = ofKind(history, 'fault');
  const isCounted = (login: Login) => !faults.some(({ begin, end }) => login.begin <= end && login.end >= begin);
  const failures = ofKind(history, 'login').filter((login) => login.status === UNAUTHORIZED_CODE && isCounted(login));
  return [...Map.groupBy(failures, ({ account }) => account)].flatMap(([account, own]): readonly Violation[] => {
    const sorted = own.toSorted((a, b) => a.begin - b.begin);
    for (const [index, first] of sorted.entries()) {
      const last = sorted[index + MAX_FAILED_LOGINS];
      if (last === undefined || last.end - first.begin > WINDOW_MS) continue;
      const records = sorted.slice(index, index + MAX_FAILED_LOGINS + 1);
      return [{ says: `${records.length} passwords for ${account} were tried within a window of 15 minutes`, records }];
    }
    return [];
  });
}
