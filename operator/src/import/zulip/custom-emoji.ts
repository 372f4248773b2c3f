/** Custom emoji of the reference server: the files of the folder `emoji/`, and the rows that describe them. */
import type { NeutralEmoji } from '../conversion/neutral.ts';
import { checkCount } from '../conversion/people.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { isTrue, type Json, keyIn, textIn } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import type { ImportReport } from '../report.ts';

/** What an upload was before the server drew it smaller. */
const ORIGINAL = /\.original$/;

/** Deactivated emoji stay in old messages. Another emoji can have the name since, so they come last. */
export function customEmojiOf(rows: RowStore, report: ImportReport): readonly NeutralEmoji[] {
  const described = rowsOf(rows);
  const found = recordsOf(rows).flatMap((record): readonly NeutralEmoji[] => {
    const path = textIn(record, 'path') ?? '';
    const file = fileOf(path);
    const row = described.get(file) ?? {};
    described.delete(file);
    const name = textIn(record, 'name') ?? textIn(row, 'name');
    if (name === undefined) {
      report.skip('Pictures of emoji without a name', path);
      return [];
    }
    const author = keyIn(record, 'author') ?? keyIn(row, 'author');
    const isDeactivated = isTrue(record, 'deactivated') || isTrue(row, 'deactivated');
    return [{ name, path: `emoji/${path}`, author, isDeactivated }];
  });
  for (const row of described.values()) {
    report.skip('Custom emoji that are missing, or not pictures', textIn(row, 'name') ?? '');
  }
  return found.toSorted((one, other) => Number(one.isDeactivated) - Number(other.isDeactivated));
}

function fileOf(path: string): string {
  return path.replace(ORIGINAL, '').split('/').at(-1) ?? '';
}

/** By the names of their files. If a server keeps its files in S3, only these rows have the names of the emoji. */
function rowsOf(rows: RowStore): Map<string, Json> {
  checkCount('custom emoji', rows.count('zerver_realmemoji'), 2 * LIMITS.emoji);
  const described = new Map<string, Json>();
  for (const row of rows.of('zerver_realmemoji')) described.set(textIn(row, 'file_name') ?? '', row);
  described.delete('');
  return described;
}

/** One for each emoji: the drawn picture, if the archive has it. Pictures that do not move are made anew. */
function recordsOf(rows: RowStore): readonly Json[] {
  checkCount('custom emoji', rows.count('emoji'), 3 * LIMITS.emoji);
  const records = new Map<string, Json>();
  for (const record of rows.of('emoji')) {
    const path = textIn(record, 'path');
    if (path === undefined || path.includes('/still/')) continue;
    const drawn = path.replace(ORIGINAL, '');
    if (path === drawn || !records.has(drawn)) records.set(drawn, record);
  }
  return [...records.values()];
}
