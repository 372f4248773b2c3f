/** The files that a build of the web app depends on. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files and folders below the root of the repository. The lockfile stands for the packages. */
const INPUTS = ['api/src', 'client/src', 'package-lock.json', 'scripts/build-web.ts', 'scripts/web-build', 'web'];

/** Tests and their helpers are not part of the app. */
const NOT_BUILT = /(^|\/)(node_modules|dist|testing)$|\.test\.tsx?$|\.md$/;

/**
 * The name of the build of these sources: equal sources have equal names. It reads all inputs, which takes some ten milliseconds.
 * @param root the root of the repository
 */
export function buildName(root: string): string {
  const sources = createHash('sha256');
  for (const path of filesBelow(root)) {
    const content = readFileSync(join(root, path));
    // The length separates a content from the next path.
    sources.update(`${path} ${content.length}\n`).update(content);
  }
  return sources.digest('hex').slice(0, 20);
}

/** The paths of all inputs, relative to the root and sorted. */
function filesBelow(root: string): string[] {
  const files: string[] = [];
  const visit = (path: string): void => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const child = `${path}/${entry.name}`;
      if (NOT_BUILT.test(child)) continue;
      if (entry.isDirectory()) visit(child);
      else files.push(child);
    }
  };
  for (const path of INPUTS) {
    const input = statSync(join(root, path), { throwIfNoEntry: false });
    if (input?.isDirectory()) visit(path);
    else if (input !== undefined) files.push(path);
  }
  return files.sort();
}
