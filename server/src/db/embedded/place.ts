import type { SpawnOptions } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { canEnter, chooseUser, type OsUser } from './os-user.ts';

/** The number in the socket's file name. No TCP port is ever opened. */
export const socketPort = 5432;

/** A socket's path must fit the system's `sun_path` with its final zero byte: 108 bytes on Linux, 104 elsewhere. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103;

/** Through this, a process names its working directory without passing through the directories above it. */
const workingDirectory = '/proc/self/cwd';

/**
 * Where a cluster lives and as whom it runs.
 *
 * ```
 * <data directory>/postgres/   ours; others may pass through, not list
 *   data/                      the cluster; PostgreSQL's user only
 *   socket/                    PostgreSQL's user only, so nobody else can connect (root can; it can do all else as well)
 *   postgres.log
 * ```
 *
 * What root reads and writes by name is in directories of root's, so PostgreSQL's user cannot lead root elsewhere.
 */
export interface Place {
  readonly user: OsUser | null;
  readonly home: string;
  readonly clusterDirectory: string;
  readonly logFile: string;
  /** The socket's directory, for clients. */
  readonly socketDirectory: string;
  /** The same for PostgreSQL's own use. */
  readonly socketSetting: string;
  /** PostgreSQL's user cannot enter the directories above `home`: see {@link directoryArgument}. */
  readonly isEnclosed: boolean;
}

/** The embedded cluster's own directory. */
export function clusterDirectoryIn(dataDirectory: string): string {
  return join(realpathSync(dataDirectory), 'postgres', 'data');
}

/** Prepares the directories around the cluster; the data directory itself exists. Does not create the cluster. */
export async function preparePlace(dataDirectory: string): Promise<Place> {
  const home = join(realpathSync(dataDirectory), 'postgres');
  const clusterDirectory = clusterDirectoryIn(dataDirectory);
  const user = await chooseUser(dataDirectory, clusterDirectory);
  mkdirSync(home, { recursive: true });
  chmodSync(home, user === null ? 0o700 : 0o711);
  const isEnclosed = user !== null && !(await canEnter(user, home));
  if (isEnclosed && !existsSync(workingDirectory)) {
    throw new EmbeddedPostgresError(
      'DATA_DIRECTORY_UNUSABLE',
      `PostgreSQL refuses to run as root, and the user ${user.name}, who is to run it, may not enter ${home}: one of ` +
        'the directories above it is closed to other users. Set HEDDLE_DATA_DIR to a directory that is not (for ' +
        'example /var/lib/heddle), or start Heddle as an unprivileged user.',
    );
  }
  const socketDirectory = await prepareSocketDirectory(home, user);
  return {
    user,
    home,
    clusterDirectory,
    logFile: join(home, 'postgres.log'),
    socketDirectory,
    socketSetting:
      isEnclosed && dirname(socketDirectory) === home ? relative(clusterDirectory, socketDirectory) : socketDirectory,
    isEnclosed,
  };
}

/**
 * What PostgreSQL is told as its data directory. Normally the path. When its user may not pass through the directories
 * above (a data directory in root's home), the working directory, into which root brings it before it becomes that user:
 * the kernel lets a process use its working directory whatever lies above.
 */
export function directoryArgument(place: Place, directory: string): string {
  return place.isEnclosed ? workingDirectory : directory;
}

/**
 * How PostgreSQL's programs are started: as their user; in their directory; without our environment, which may hold
 * secrets; and in a session of their own, so that a terminal's Ctrl-C reaches only us and we decide the order of the end.
 */
export function spawnOptions(place: Place, directory: string): SpawnOptions {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return {
    cwd: directory,
    detached: true,
    env: { LC_ALL: 'C', ...(PATH && { PATH }), ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) },
    ...(place.user && { uid: place.user.uid, gid: place.user.gid }),
  };
}

/** Makes a directory for PostgreSQL's user alone. */
export function giveToUser(directory: string, user: OsUser | null): void {
  if (user !== null) chownSync(directory, user.uid, user.gid);
}

/** The socket's directory inside `home`; an unpredictable, private one for temporary files where that path is too long. */
async function prepareSocketDirectory(home: string, user: OsUser | null): Promise<string> {
  const inside = join(home, 'socket');
  if (fitsSocket(inside)) {
    mkdirSync(inside, { recursive: true, mode: 0o700 });
    giveToUser(inside, user);
    return inside;
  }
  for (const parent of [tmpdir(), '/tmp']) {
    if (!fitsSocket(join(parent, 'heddle-XXXXXX')) || (user !== null && !(await canEnter(user, parent)))) continue;
    const directory = mkdtempSync(join(parent, 'heddle-'));
    giveToUser(directory, user);
    return directory;
  }
  throw new EmbeddedPostgresError(
    'DATA_DIRECTORY_UNUSABLE',
    `The path ${inside} is too long for a socket, and neither ${tmpdir()} nor /tmp can hold it instead. ` +
      'Set HEDDLE_DATA_DIR to a shorter path.',
  );
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${socketPort}`)) <= longestSocketPath;
}

/** Removes the socket directory that a finished run made outside of `home`; any other path is left alone. */
export function removeTemporarySocketDirectory(directory: string, home: string): void {
  if (directory === join(home, 'socket') || !basename(directory).startsWith('heddle-')) return;
  const status = lstatSync(directory, { throwIfNoEntry: false });
  if (status?.isDirectory() && (status.mode & 0o077) === 0) rmSync(directory, { recursive: true, force: true });
}
