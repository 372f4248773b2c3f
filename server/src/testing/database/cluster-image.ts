import { createHash } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** The files that create a test cluster. A change in them, or in their imports, requires a new image. */
const MAKERS = ['../../db/migrate.ts', '../../../../embedded-postgres/src/host.ts', './cluster.ts'];

/** The number of images to keep, for a few branches. An image takes about 60 MB. */
const MAX_IMAGES = 4;

/** An unfinished image this old belongs to a process that was killed. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Stopped clusters with a migrated template database, kept between runs. An image never changes: runs copy it. Several
 * runs can use and save images concurrently, because an image gets its name in one atomic step.
 */
export class ClusterImages {
  readonly #directory: string;
  readonly #path: string;

  constructor(directory = join(root, 'node_modules', '.cache', 'heddle', 'test-clusters'), key = imageKey()) {
    this.#directory = directory;
    this.#path = join(directory, key);
  }

  /** Copies the image to a directory that does not exist yet. Returns false if there is no image. */
  copyTo(clusterDirectory: string): boolean {
    try {
      const now = new Date();
      utimesSync(this.#path, now, now);
      cpSync(this.#path, clusterDirectory, { recursive: true });
      return true;
    } catch (error) {
      // There is no image, or another run removed it during the copy.
      rmSync(clusterDirectory, { recursive: true, force: true });
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    }
  }

  /** Saves a copy of a stopped cluster, and removes the least recently used images. */
  save(clusterDirectory: string): void {
    mkdirSync(this.#directory, { recursive: true });
    const draft = mkdtempSync(join(this.#directory, 'draft-'));
    cpSync(clusterDirectory, draft, { recursive: true });
    try {
      renameSync(draft, this.#path);
    } catch {
      // Another run has saved the same image meanwhile.
      rmSync(draft, { recursive: true, force: true });
    }
    this.#removeOld();
  }

  /** Renames the image first: a run that copies it at that moment fails, instead of using an incomplete image. */
  #remove(path: string): void {
    const removed = join(mkdtempSync(join(this.#directory, 'draft-')), 'removed');
    try {
      renameSync(path, removed);
    } catch {
      // Another run was faster.
    }
    rmSync(dirname(removed), { recursive: true, force: true });
  }

  #removeOld(): void {
    const entries = readdirSync(this.#directory).flatMap((name) => {
      const path = join(this.#directory, name);
      const status = statSync(path, { throwIfNoEntry: false });
      return status === undefined ? [] : [{ path, usedAt: status.mtimeMs, isDraft: name.startsWith('draft-') }];
    });
    const abandoned = entries.filter(({ isDraft, usedAt }) => isDraft && usedAt < Date.now() - ABANDONED_AFTER_MS); // timing: the age of a file
    const images = entries.filter(({ isDraft }) => !isDraft).sort((a, b) => b.usedAt - a.usedAt);
    for (const { path } of images.slice(MAX_IMAGES)) this.#remove(path);
    for (const { path } of abandoned) rmSync(path, { recursive: true, force: true });
  }
}

/** Files that create a test cluster without being imported: `db/find-migrations.ts` finds them by their folders. */
function migrations(): readonly string[] {
  const source = join(import.meta.dirname, '..', '..');
  const found = globSync(['db/migrations/**/*.{ts,sql}', '{domain/{*,*/*},features/*}/migrations/*.ts'], {
    cwd: source,
  });
  return found.sort().map((path) => join(source, path));
}

function allMakers(): readonly string[] {
  return [...MAKERS.map((maker) => join(import.meta.dirname, maker)), ...migrations()];
}

/** The name of the image for the files of this checkout on this system. */
export function imageKey(makers: readonly string[] = allMakers()): string {
  const hash = createHash('sha256');
  const files = new Set(makers);
  // Iterating a set includes elements that are added meanwhile.
  for (const path of files) {
    const text = readFileSync(path, 'utf8');
    hash.update(text);
    for (const [, specifier] of text.matchAll(/ from '(\.[^']+)'/g)) files.add(join(dirname(path), specifier ?? ''));
  }
  // Contains the versions of PostgreSQL and of the migration library.
  hash.update(readFileSync(join(root, 'package-lock.json')));
  // PostgreSQL's files depend on the processor architecture, and belong to the user who ran it.
  hash.update([process.platform, process.arch, process.geteuid?.()].join());
  return hash.digest('hex').slice(0, 32);
}
