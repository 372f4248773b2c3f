/**
 * Remembers which checks succeeded, so that a check runs again only after a change of what it reads. Only successes are stored, each with the hash
 * of every input. So a stored success cannot hide a failure, and a failed check runs again.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The hash of each file, by its path from the root of the repository. */
export type Inputs = ReadonlyMap<string, string>;

/** Folders that no check reads: packages, builds, results and the data of a local server. `.gitignore` names them too. */
const LEFT_OUT = /(^|\/)(node_modules|dist|data|\.git)$|^bench\/results$/;

/** No check reads the content of pictures and fonts. */
const BINARY = /\.(png|jpe?g|gif|webp|ico|woff2?)$/;

/** What npm installed. It changes with the version of any tool, also after an installation without the lock file. */
export const INSTALLED = 'node_modules/.package-lock.json';

/** Hashes all files of the working tree that a check may read. */
export async function readTree(root: string): Promise<Inputs> {
  const paths = [INSTALLED];
  const folders = [''];
  // The iteration of an array includes elements that are added during the iteration.
  for (const folder of folders) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !LEFT_OUT.test(path)) folders.push(path);
      else if (entry.isFile() && !BINARY.test(path)) paths.push(path);
    }
  }
  const hashes = paths.map(async (path) => [path, hashOf(await readFile(join(root, path)).catch(() => ''))] as const);
  return new Map(await Promise.all(hashes));
}

export function hashOf(content: string | Buffer): string {
  return createHash('sha1').update(content).digest('hex');
}

/** The files that were added, changed or deleted between two states. */
export function changesBetween(before: Inputs, now: Inputs): string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => before.get(path) !== now.get(path)).sort();
}

/** The successes in a folder of the cache, one file per check. */
export class Successes {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The inputs of the last success of a check, if there was one. */
  async inputsOf(check: string): Promise<Inputs | undefined> {
    try {
      return new Map(Object.entries(JSON.parse(await readFile(this.#fileOf(check), 'utf8')) as Record<string, string>));
    } catch {
      // There is no file, or an interrupted run wrote only a part of it.
      return undefined;
    }
  }

  /** Stores that a check succeeded with these inputs. */
  async add(check: string, inputs: Inputs): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await writeFile(this.#fileOf(check), JSON.stringify(Object.fromEntries(inputs)));
  }

  #fileOf(check: string): string {
    return join(this.#folder, `${hashOf(`${check}, ${process.version}`)}.json`);
  }
}
