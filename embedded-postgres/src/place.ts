import type { SpawnOptions } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { canEnter, chooseUser, type OsUser } from './os-user.ts';

/** The number in the socket's file name. PostgreSQL opens no TCP port. */
export const socketPort = 5432;

/** The path of a socket and a zero byte must fit into `sun_path`: 108 bytes on Linux, 104 elsewhere. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** The working directory of a process, without access to the directories above it. */
const workingDirectory = '/proc/self/cwd';

/**
 * The directories of a cluster, and the user that runs it.
 *
 * ```
 * <data directory>/postgres/   ours; others may pass through, not list
 *   data/                      the cluster; PostgreSQL's user only
 *   socket/                    PostgreSQL's user only, so only that user and root can connect
 *   postgres.log
 * ```
 *
 * Files that root opens by name are in directories of root. So PostgreSQL's user cannot replace them with links.
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

/** Prepares the directories around the cluster, but not the cluster. The data directory must exist. */
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
      `PostgreSQL does not run as root, and the user ${user.name}, who would run it, cannot enter ${home}. A directory above it ` +
        'is closed to other users. Set HEDDLE_DATA_DIR to a directory like /var/lib/heddle, or start Heddle as an ' +
        'unprivileged user.',
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
 * The data directory as an argument of PostgreSQL. Normally this is the path. PostgreSQL's user may have no access to the directories
 * above it, for example to the home of root. Then this is the working directory, which a process can use without that access.
 */
export function directoryArgument(place: Place, directory: string): string {
  return place.isEnclosed ? workingDirectory : directory;
}

/**
 * Options to start PostgreSQL's programs: as their user, in their directory, without our environment (which may contain secrets). They
 * have a session of their own, so that Ctrl-C reaches only us.
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

/** Makes PostgreSQL's user the owner of a directory. */
export function giveToUser(directory: string, user: OsUser | null): void {
  if (user !== null) chownSync(directory, user.uid, user.gid);
}

/** The directory of the socket: inside `home`, or a private temporary directory if that path is too long. */
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
    `The path ${inside} is too long for a socket, and neither ${tmpdir()} nor /tmp can contain the socket. ` +
      'Set HEDDLE_DATA_DIR to a shorter path.',
  );
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${socketPort}`)) <= MAX_SOCKET_PATH_BYTES;
}

/** Removes a socket directory outside of `home`, and no other directory. */
export function removeTemporarySocketDirectory(directory: string, home: string): void {
  if (directory === join(home, 'socket') || !basename(directory).startsWith('heddle-')) return;
  const status = lstatSync(directory, { throwIfNoEntry: false });
  if (status?.isDirectory() && (status.mode & 0o077) === 0) rmSync(directory, { recursive: true, force: true });
}
