import type { Finding, SourceFile } from './source.ts';

/** More lines than this are two subjects in one file. */
export const longestFile = 500;

/** Files longer than {@link longestFile}. */
export function checkLengths(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    if (lines <= longestFile) return [];
    return [{ path, line: longestFile + 1, problem: `${lines} lines; ${longestFile} are the most. Split it in two` }];
  });
}
