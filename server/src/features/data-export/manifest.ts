import type { ArchivedFile } from './archive.ts';

/** The version of the format, which `docs/export-format.md` describes. */
export const FORMAT = 1;

/** `manifest.json`, the last entry. An archive without it is not complete. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly heddle: string;
  /** The last migration of the database. It decides which tables and columns there are. */
  readonly migration: string;
  readonly type: 'public' | 'full_with_consent';
  readonly requested_at: string;
  readonly snapshot_at: string;
  /** The last ids that the organization has given to events and messages. */
  readonly last_event_id: number;
  readonly last_message_id: number;
  /** The files with rows, in an order in which each row only refers to earlier ones or to its own file. */
  readonly tables: readonly (ArchivedFile & { readonly rows: number })[];
  readonly files: readonly ArchivedFile[];
  /** Files that the storage has lost. */
  readonly missing: readonly string[];
}
