import { describe } from 'node:test';

/**
 * Describes the tests of these files (absolute paths) as a suite for each, so that one process loads the server's code once for all of
 * them. One after the other, each with its own hooks: a file's `before` runs when its turn has come, its `after` before the next begins.
 * A file that takes longer than `timeout` milliseconds hangs.
 */
export async function describeFiles(files: readonly SuiteFile[], timeout: number): Promise<void> {
  for (const { path, name } of files) {
    const { promise: loaded, resolve } = Promise.withResolvers<void>();
    // What is loaded while another loads is taken for the other's.
    describe(name, { timeout }, () => import(path).finally(resolve));
    await loaded;
  }
}

export interface SuiteFile {
  readonly path: string;
  readonly name: string;
}
