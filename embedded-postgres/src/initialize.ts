import { spawn } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Binaries } from './binaries.ts';
import { codeOf, diskFull, EmbeddedPostgresError, reasonOf, wrongMajorVersion } from './errors.ts';
import type { OsUser } from './os-user.ts';
import { directoryArgument, giveToUser, type Place, spawnOptions } from './place.ts';
import { postgresProcessesIn, signalProcess, until } from './processes.ts';
import type { Durability } from './settings.ts';

export const superuser = 'heddle';

/** Checks that our binaries can start the cluster, or creates one. */
export async function ensureCluster(place: Place, binaries: Binaries, durability: Durability): Promise<void> {
  await removeUnfinished(place);
  if (isClusterPresent(place)) checkCluster(place, binaries);
  else await createCluster(place, binaries, durability);
}

function draftPrefix(place: Place): string {
  return `${place.clusterDirectory}.initializing-`;
}

/** Removes the directory of an initialization that was killed. Its initdb may still run. */
async function removeUnfinished(place: Place): Promise<void> {
  const prefix = basename(draftPrefix(place));
  for (const name of readdirSync(place.home).filter((entry) => entry.startsWith(prefix))) {
    const draft = join(place.home, name);
    for (const pid of postgresProcessesIn(draft)) signalProcess(pid, 'SIGKILL');
    await until(() => postgresProcessesIn(draft).length === 0, 5_000);
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
  }
}

function isClusterPresent(place: Place): boolean {
  try {
    if (readdirSync(place.clusterDirectory).length > 0) return true;
    rmdirSync(place.clusterDirectory);
    return false;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw unusable(place, reasonOf(error), error);
  }
}

function checkCluster(place: Place, binaries: Binaries): void {
  let found: string;
  try {
    found = readFileSync(join(place.clusterDirectory, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    throw unusable(place, `it contains files but no PostgreSQL cluster (${reasonOf(error)})`, error);
  }
  if (found !== binaries.major) throw wrongMajorVersion(place.clusterDirectory, found, binaries.major);
  const owner = lstatSync(place.clusterDirectory).uid;
  const wanted = place.user?.uid ?? process.geteuid?.() ?? owner;
  if (owner === wanted) return;
  // `chooseUser` prefers the owner unless it is root. So root has copied or restored this cluster.
  if (place.user !== null) giveTree(place.clusterDirectory, place.user);
  else throw unusable(place, `it belongs to user ${owner}, and this process runs as user ${wanted}`);
}

function giveTree(directory: string, user: OsUser): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  lchownSync(directory, user.uid, user.gid);
}

function unusable(place: Place, reason: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'DATA_DIRECTORY_UNUSABLE',
    `Cannot use ${place.clusterDirectory}: ${reason}. Nothing was changed. Correct this, or set HEDDLE_DATA_DIR to another directory.`,
    { cause },
  );
}

/**
 * Creates the cluster in a draft directory, and renames that when it is complete and on disk. So a cluster is complete or absent.
 *
 * Collation: the built-in provider with PG_UNICODE_FAST. Text sorts by code point. So an upgrade of libc or ICU cannot corrupt an
 * index, comparisons are fast, and `LIKE 'prefix%'` uses plain indexes. The case mapping equals `toLowerCase` of JavaScript, so
 * both agree on which topics and addresses are equal. C.UTF-8 would differ for a Greek final sigma.
 *
 * Authentication: only PostgreSQL's user and root can enter the directory of the socket, and both can read the files anyway. So
 * `trust` gives nothing away. `reject` protects a TCP port that somebody may open.
 */
async function createCluster(place: Place, binaries: Binaries, durability: Durability): Promise<void> {
  const draft = mkdtempSync(draftPrefix(place));
  try {
    giveToUser(draft, place.user);
    const child = spawn(
      binaries.initdb,
      [
        `--pgdata=${directoryArgument(place, draft)}`,
        `--username=${superuser}`,
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=PG_UNICODE_FAST',
        '--data-checksums',
        '--auth-local=trust',
        '--auth-host=reject',
        '--no-instructions',
        ...(durability === 'durable' ? [] : ['--no-sync']),
      ],
      { ...spawnOptions(place, draft), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(code === 0 ? '' : `initdb ended with ${signal ?? `code ${code}`}`));
    });
    const [failure, complaints] = await Promise.all([ended, child.stderr === null ? '' : text(child.stderr)]);
    if (failure !== '') throw initializationFailed(place, failure, complaints);
    renameSync(draft, place.clusterDirectory);
    if (durability === 'durable') syncDirectory(dirname(place.clusterDirectory));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

function initializationFailed(place: Place, failure: string, complaints: string): EmbeddedPostgresError {
  if (/No space left on device/.test(complaints)) return diskFull(place.home, complaints);
  return new EmbeddedPostgresError(
    'INITIALIZATION_FAILED',
    `Cannot create the PostgreSQL cluster in ${place.home}: ${failure}.\n${complaints.trim()}`,
  );
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
