import { ExportType } from '@heddle/api/objects/data-export.ts';
import type { ArchivedFile } from './archive.ts';
import { ByteList } from './byte-list.ts';

/** The version of the format, which `docs/export-format.md` describes. */
export const EXPORT_FORMAT_VERSION = 1;

/** The types of the API, and the one of the command line: all data, without asking the users. */
export const TYPE_NAMES = {
  [ExportType.public]: 'public',
  [ExportType.fullWithConsent]: 'full_with_consent',
  everything: 'full_without_consent',
} as const;

/** `manifest.json`, the last entry. An archive without it is not complete. */
export interface Manifest {
  readonly format: typeof EXPORT_FORMAT_VERSION;
  readonly heddle: string;
  /** The last migration of the database. It decides which tables and columns there are. */
  readonly migration: string;
  readonly type: (typeof TYPE_NAMES)[keyof typeof TYPE_NAMES];
  readonly requested_at: string;
  readonly snapshot_at: string;
  /** The last ids that the organization has given to events and messages. */
  readonly last_event_id: number;
  readonly last_message_id: number;
  /** The files with rows. Tables to which others refer come first. */
  readonly tables: readonly (ArchivedFile & { readonly rows: number })[];
  readonly files: readonly ArchivedFile[];
  /** Files that the storage has lost. */
  readonly missing: readonly string[];
}

/** A list of the manifest with an item per uploaded file. It is kept as text. */
export class ManifestList<Item> {
  readonly #text = new ByteList();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(item: Item): void {
    this.#text.append(Buffer.from(`${this.#length === 0 ? '' : ','}\n  ${JSON.stringify(item)}`));
    this.#length += 1;
  }

  *pieces(): Generator<Buffer> {
    yield Buffer.from('[');
    yield* this.#text.blocks();
    yield Buffer.from('\n ]');
  }
}

/** What the manifest says of the uploaded files. */
export interface ManifestFiles {
  readonly files: ManifestList<ArchivedFile>;
  readonly missing: ManifestList<string>;
}

/** The text of the manifest, in pieces. */
export async function* writeManifest(
  head: Omit<Manifest, keyof ManifestFiles>,
  { files, missing }: ManifestFiles,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(head, undefined, 1).slice(0, -'\n}'.length)},\n "files": `);
  yield* files.pieces();
  yield Buffer.from(',\n "missing": ');
  yield* missing.pieces();
  yield Buffer.from('\n}\n');
}
