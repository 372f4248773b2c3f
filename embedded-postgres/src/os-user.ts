import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.ts';

const run = promisify(execFile);

/** The operating system's user that runs PostgreSQL, if we are root. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/** In the order of preference. Nearly every system has the last two. */
const candidates = ['postgres', 'nobody', 'daemon'];

/**
 * PostgreSQL does not run as root. So root chooses the owner of the cluster, the owner of the data directory, or the first usual user that
 * exists. Returns null if we are not root.
 */
export async function chooseUser(dataDirectory: string, clusterDirectory: string): Promise<OsUser | null> {
  if (process.geteuid?.() !== 0) return null;
  const cluster = lstatSync(clusterDirectory, { throwIfNoEntry: false });
  if (cluster !== undefined && cluster.uid !== 0) {
    return { uid: cluster.uid, gid: cluster.gid, name: `with id ${cluster.uid}` };
  }
  const owner = lstatSync(dataDirectory).uid;
  for (const name of owner === 0 ? candidates : [String(owner), ...candidates]) {
    const user = await lookUp(name);
    if (user !== null && user.uid !== 0) return user;
  }
  throw new EmbeddedPostgresError(
    'NO_UNPRIVILEGED_USER',
    `PostgreSQL does not run as root, and none of the users ${candidates.join(', ')} exists. ` +
      'Create the user postgres, or start Heddle as an unprivileged user.',
  );
}

/** Finds a user by name or numeric id in the user database, which `initdb` also requires. */
async function lookUp(nameOrId: string): Promise<OsUser | null> {
  try {
    const [name, uid, gid] = await Promise.all(
      ['-un', '-u', '-g'].map(async (option) => (await run('id', [option, nameOrId])).stdout.trim()),
    );
    return { uid: Number(uid), gid: Number(gid), name: name ?? nameOrId };
  } catch {
    return null;
  }
}

/** Whether a user can enter a directory. It tries as that user, so access lists count too. */
export async function canEnter(user: OsUser, directory: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { uid: user.uid, gid: user.gid, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}
