/** Reads the JSON files of the reference server's export into the temporary database. */
import type { ArchiveFiles } from '../archives/archive-files.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { FieldNotes, type KnownFields } from '../field-notes.ts';
import type { Json } from '../fields.ts';
import { isObject } from '../json.ts';
import { readJsonItems } from '../json-items.ts';
import type { ImportReport } from '../report.ts';
import { IMPORTED_TABLES, LEFT_TABLES } from './zulip-tables.ts';

/** Names of settings of users and organizations that are imported or checked elsewhere. */
export interface KnownSettings {
  readonly user: ReadonlySet<string>;
  readonly organization: ReadonlySet<string>;
}

/** Reads rows, and notes in the report what is not imported. */
export class TableReader {
  readonly #report: ImportReport;
  readonly #notes: FieldNotes;

  constructor(report: ImportReport, { user, organization }: KnownSettings) {
    this.#report = report;
    const tables = Object.entries(IMPORTED_TABLES).map(
      ([table, { fields, left, hasSettings }]): [string, KnownFields] => {
        const settings = hasSettings !== true ? [] : table === 'zerver_realm' ? organization : user;
        return [table, { fields: [fields, ...settings].join(' '), ...(left !== undefined && { left }) }];
      },
    );
    const known = Object.fromEntries(tables);
    this.#notes = new FieldNotes(report, {
      ...known,
      zerver_userprofile_mirrordummy: known.zerver_userprofile ?? { fields: '' },
    });
  }

  /** The row, if its table is imported. */
  accepted(table: string, row: unknown): Json | undefined {
    if (!this.#notes.knows(table)) {
      const reason = Object.hasOwn(LEFT_TABLES, table) ? LEFT_TABLES[table] : undefined;
      if (reason !== undefined) this.#report.skip(`Rows of ${table}: ${reason}`);
      else this.#report.skipNamed('Rows of a table that this version does not know', table);
      return undefined;
    }
    if (!isObject(row)) {
      this.#report.skip('Rows that are not objects', table);
      return undefined;
    }
    this.#notes.note(table, row);
    return row;
  }

  /** Stores all rows of a file that are imported. */
  async store(archive: ArchiveFiles, path: string, rows: RowStore): Promise<void> {
    if (!archive.files.has(path)) return;
    for await (const { list, item } of readJsonItems(await archive.open(path), path, 'object')) {
      const row = this.accepted(list, item);
      if (row === undefined) continue;
      if (list === 'zerver_message') this.#report.skipMessages('Messages outside of the files of messages', list);
      else if (list === 'zerver_usermessage') this.#report.skip('Flags outside of the files of messages', list);
      else rows.add(list, row);
    }
  }
}

/** Stores the descriptions of the files of a folder as rows of a kind. */
export async function storeRecords(archive: ArchiveFiles, folder: string, rows: RowStore): Promise<void> {
  const path = `${folder}/records.json`;
  if (!archive.files.has(path)) return;
  for await (const { item } of readJsonItems(await archive.open(path), path, 'list')) {
    if (isObject(item)) rows.add(folder, item);
  }
}

/** Files of the archive that nothing reads. */
export function reportOtherFiles(archive: ArchiveFiles, used: (path: string) => boolean, report: ImportReport): void {
  for (const path of archive.files.keys()) {
    if (
      /^(?:analytics\.json|migration_status\.json|consented_user_ids\.json|stats\.json|export_\w+\.json|stats\/.*)$/.test(
        path,
      )
    )
      report.skip('Files about the old server', path);
    else if (!used(path))
      report.skip('Files of the archive that no object names, or that this version does not know', path);
  }
}
