import type { Readable } from 'node:stream';

/** The archive cannot be imported. The message explains the reason to the operator. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** Another process imports into the subdomain. */
export class BusyImportError extends ImportError {}

/** A row of a table in the form of a data export (docs/export-format.md). */
export type SourceRow = Readonly<Record<string, unknown>>;

/** Stands for an object that is not imported. It counts as read, so that an interrupted import continues at the right row. */
export const NO_ROW: SourceRow = {};

/** Rows of other tables that belong to a row, by table. They are copied in the same transaction. */
export const ATTACHED = Symbol('attached rows');
export type AttachedRows = Readonly<Record<string, readonly SourceRow[]>>;
export type RowWithOthers = SourceRow & { readonly [ATTACHED]?: AttachedRows };

/** A field with the path of a file in the archive. It is not stored. */
export const SOURCE_PATH = 'source_path';

export interface SourceFile {
  readonly bytes: number;
  readonly content: Readable;
}

/**
 * What an import reads: the rows of an organization in the form of a data export. Each format of archives provides it. The same archive
 * always gives the same rows in the same order, so an interrupted import can skip those that it has.
 */
export interface ImportSource {
  /** Recognizes the archive. */
  readonly fingerprint: string;
  /** The last ids that the organization has given. */
  readonly lastEventId: number;
  readonly lastMessageId: number;
  /** Tables to which others refer come first. The first one is `organizations`, with one row. */
  readonly tables: readonly string[];
  /** The number of rows, if it is known before they are read. */
  countOf(table: string): number | undefined;
  /** @param after how many rows to leave out, because an earlier run has copied them */
  rows(table: string, after?: number): AsyncIterable<SourceRow>;
  /** The file of a row of `attachments`; undefined if the archive does not have it. */
  file(row: SourceRow): Promise<SourceFile | undefined>;
}
