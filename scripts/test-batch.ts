import { describe } from 'node:test';

/**
 * Runs the tests of several files (absolute paths) in one process, one suite per file, so that the process loads the code of the server only
 * once. The files run in sequence with separate hooks: `before` runs at the start of its file, `after` at its end. A file fails after
 * `timeout` milliseconds.
 */
export async function describeFiles(files: readonly SuiteFile[], timeout: number): Promise<void> {
  for (const { path, name } of files) {
    const { promise: loaded, resolve } = Promise.withResolvers<void>();
    // Files load in sequence, because the test runner would assign tests of a concurrent load to the wrong suite.
    describe(name, { timeout }, () => import(path).finally(resolve));
    await loaded;
  }
}

export interface SuiteFile {
  readonly path: string;
  readonly name: string;
}
