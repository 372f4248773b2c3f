/** What a folder adds to the data export of an organization (`features/data-export`). */
import type { RawBuilder } from 'kysely';
import type { EditHistoryVisibility } from '../access/organization-settings.ts';

/**
 * Conditions in SQL that decide whether private rows belong to an export. A public export has only what all members can see. A full one also
 * has the private data of users who agreed. The row is `t`, unless a condition gets the name of another one.
 */
export interface ExportScope {
  readonly isPublic: boolean;
  /** Which edit history the export has of its messages: of a public one what members see, of a full one all. */
  readonly editHistory: EditHistoryVisibility;
  /** Whether the user in this column lets private data be exported. The owner of a bot decides for the bot. */
  consents(column: string): RawBuilder<boolean>;
  /** The same without bots: for rows about others, whose contact with a bot is not the affair of its owner. */
  personConsents(column: string): RawBuilder<boolean>;
  /** Whether the export has the channel in this column. A full export has all channels, but not all of their messages. */
  hasChannel(column: string): RawBuilder<boolean>;
  /** Whether the export has the direct conversation in this column. */
  hasConversation(column: string): RawBuilder<boolean>;
  /** Whether the export has the message in this column. */
  hasMessage(column: string, row?: string): RawBuilder<boolean>;
}

/** A table of which an export has a file, `<table>.jsonl`, with one row per line. */
export interface ExportedTable {
  readonly table: string;
  /** The columns, without `organization_id`. */
  readonly fields: readonly string[];
  /** All other columns, each with the reason why no export has it. */
  readonly withheld?: Readonly<Record<string, string>>;
  /** Fields with another value than the column: an SQL expression about row `t`. */
  readonly values?: Readonly<Record<string, string>>;
  /** Fields that are null unless a condition is true: private data in a row that is not private. */
  readonly hidden?: readonly { readonly fields: readonly string[]; readonly unless: Condition }[];
  /** Which rows. Default: all rows of the organization. */
  readonly rows?: Condition;
  /** Each row has a file in the storage, with this key and size. The export stores it as `<folder>/<value of name>`. */
  readonly files?: { readonly folder: string; readonly name: string; readonly key: string; readonly size: string };
}

type Condition = (scope: ExportScope) => RawBuilder<boolean>;

/** A table that no export has. */
export interface UnexportedTable {
  readonly table: string;
  readonly because: string;
}

export type TableExport = ExportedTable | UnexportedTable;

/** The rows of users who let private data be exported. */
export const ofConsenting: Condition = ({ consents }) => consents('user_id');

/** The rows about messages that the export has. */
export const ofMessages: Condition = ({ hasMessage }) => hasMessage('message_id');

/** Declares the tables of a folder that no export has. */
export function notExported(because: string, ...tables: readonly string[]): readonly UnexportedTable[] {
  return tables.map((table) => ({ table, because }));
}
