import type { Finding, SourceFile } from './source.ts';
import { tokenize } from './source.ts';

const TEST_CODE = /\.test\.tsx?$|\/testing\//;
/** They make the seed, and pass it to fast-check. */
const SEED_FILES = new Set(['server/src/testing/random/random.ts', 'server/src/testing/random/property.ts']);

/** Reports random choices of tests that no seed repeats. */
export function checkTestRandomness(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => TEST_CODE.test(path) && !SEED_FILES.has(path))
    .flatMap(({ path, text }) => {
      const tokens = tokenize(text);
      return tokens.flatMap(({ kind, text: word, line }, index): Finding[] => {
        const [next, name] = tokens.slice(index + 1);
        if (kind === 'word' && word === 'Math' && next?.text === '.' && name?.text === 'random') {
          return [{ path, line, problem: 'no seed repeats this choice; use randomOf(t) of testing/random/random.ts' }];
        }
        if (kind === 'string' && word === 'fast-check' && tokens[index - 1]?.text === 'from') {
          return [{ path, line, problem: 'HEDDLE_TEST_SEED has no effect; import fc from testing/random/property.ts' }];
        }
        return [];
      });
    });
}
