import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory and those above it that are missing. It creates one after the other: Node's `recursive` never ends in /proc, where
 * ENOENT is the answer although the parent exists.
 */
export function createDirectories(path: string, mode = 0o777): void {
  if (isDirectory(path)) return;
  if (dirname(path) !== path) createDirectories(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
