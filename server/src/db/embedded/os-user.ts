import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.ts';

const run = promisify(execFile);

/** The operating system's user that PostgreSQL runs as, when that is not ours. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/** Tried in this order; `postgres` is the one made for it, the others are there on nearly every system. */
const candidates = ['postgres', 'nobody', 'daemon'];

/**
 * PostgreSQL refuses to run as root, so under root it gets another user: who owns the cluster already, who owns the data
 * directory, or the first of the usual ones that exists. Null when we are not root: then it runs as we do.
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
    'PostgreSQL refuses to run as root, and none of the users ' +
      `${candidates.join(', ')} exists to run it. Create the user postgres, or start Heddle as an unprivileged user.`,
  );
}

/** Takes a name or a numeric id. initdb needs the user to have an entry in the user database, so one without is not taken. */
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

/** Whether a user may enter a directory: asked of the system itself, as that user, so access lists count too. */
export async function canEnter(user: OsUser, directory: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { uid: user.uid, gid: user.gid, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}
