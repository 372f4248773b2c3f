/** What a backup holds, with the checksums by which it is verified. Written last, so that a backup without it is not finished. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** Of the directory's layout. */
const MANIFEST_FORMAT_VERSION = 1;

/** Files that are copied at the same time: a store across the network takes some milliseconds for each. */
export const MAX_CONCURRENT_COPIES = 8;

/** A backup or a restore is not possible. The message is for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** A file of the backup as it was written. */
const Checked = Type.Object({ bytes: Type.Integer(), sha256: Type.String() });

const Table = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Integer(),
  /** Of all rows, in whatever order: see `digestOf`. */
  digest: Type.String(),
  ...Checked.properties,
});

const Manifest = Type.Object({
  format: Type.Literal(MANIFEST_FORMAT_VERSION),
  /** The version of Heddle that last brought the database up to date. */
  heddle: Type.String(),
  createdAt: Type.String(),
  /** The last migration that the database has. */
  migration: Type.String(),
  tables: Type.Array(Table),
  /** By name, the last value that each sequence gave out. */
  sequences: Type.Record(Type.String(), Type.String()),
  secret: Checked,
  /** The list of uploaded files, `files.jsonl`: one {@link BackedUpFile} a line. */
  fileList: Checked,
  files: Type.Integer(),
  fileBytes: Type.Integer(),
  /** Files that the database names and the storage did not have. */
  missingFiles: Type.Integer(),
});

export type TableBackup = Static<typeof Table>;
export type Manifest = Static<typeof Manifest>;
export type CheckedFile = Static<typeof Checked>;

const BackedUpFile = Type.Object({
  key: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  size: Type.Integer(),
  /** null: the storage did not have it. */
  sha256: Type.Union([Type.String(), Type.Null()]),
});
export type BackedUpFile = Static<typeof BackedUpFile>;

/** Where each thing is in a backup. */
export class BackupPlaces {
  readonly root: string;
  constructor(root: string) {
    this.root = root;
  }
  get manifest(): string {
    return join(this.root, 'manifest.json');
  }
  get secret(): string {
    return join(this.root, 'secret');
  }
  get database(): string {
    return join(this.root, 'database');
  }
  get fileList(): string {
    return join(this.root, 'files.jsonl');
  }
  table(name: string): string {
    return join(this.database, `${name}.copy`);
  }
  fileDirectory(key: string): string {
    return join(this.root, 'files', key.slice(0, 2));
  }
  file(key: string): string {
    return join(this.fileDirectory(key), key);
  }
}

export function newManifest(parts: Omit<Manifest, 'format'>): Manifest {
  return { format: MANIFEST_FORMAT_VERSION, ...parts };
}

/** @throws BackupError where the directory holds no finished backup that this version can read */
export async function readManifest(places: BackupPlaces): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(places.manifest, 'utf8');
  } catch (error) {
    throw new BackupError(`${places.root} contains no complete backup: it has no readable manifest.json.`, {
      cause: error,
    });
  }
  const value = parsed(text);
  if (!Value.Check(Manifest, value)) {
    throw new BackupError(`${places.manifest} is damaged, or another version of Heddle wrote it.`);
  }
  return value;
}

/** The uploaded files of a backup, one after the other. */
export async function* filesOf(places: BackupPlaces): AsyncGenerator<BackedUpFile> {
  for await (const line of createInterface({ input: createReadStream(places.fileList) })) {
    const file = parsed(line);
    if (!Value.Check(BackedUpFile, file)) throw new BackupError(`${places.fileList} is damaged.`);
    yield file;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
