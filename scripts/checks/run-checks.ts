import { changesBetween, type Inputs, readTree, Successes } from './successes.ts';

/** A check of `npm run check`. */
export interface Check {
  readonly name: string;
  /**
   * What the check reads, out of all files of the working tree. Without this function, any change runs the check again. It is called before the
   * check and again after it, because some checks know only then what they read.
   */
  readonly inputsIn?: (tree: Inputs) => Promise<Inputs>;
  /** Prints its findings, and returns whether there are none. `changed` are the paths that changed since its last success, if there is one. */
  readonly run: (changed: readonly string[] | undefined) => Promise<boolean>;
}

export interface Result {
  readonly name: string;
  readonly passed: boolean;
  /** True if the check did not run, because its inputs are those of its last success. */
  readonly isUnchanged: boolean;
}

/** Runs all checks whose inputs changed since their last success. `cache` is the folder of the stored successes. */
export async function runChecks(checks: readonly Check[], root: string, cache: string): Promise<Result[]> {
  const successes = new Successes(cache);
  const tree = await readTree(root);
  const inputsOf = async ({ inputsIn }: Check) => (inputsIn === undefined ? tree : await inputsIn(tree));
  const runOne = async (check: Check): Promise<Result> => {
    const before = await successes.inputsOf(check.name);
    const changed = before && changesBetween(before, await inputsOf(check));
    if (changed?.length === 0) return { name: check.name, passed: true, isUnchanged: true };
    return { name: check.name, passed: await check.run(changed), isUnchanged: false };
  };
  const results = await Promise.all(checks.map(runOne));
  const succeeded = checks.filter((_, index) => results[index]?.passed && !results[index]?.isUnchanged);
  // If a file was saved during the run, it is unknown which content a check read.
  const isSame = async () => changesBetween(tree, await readTree(root)).length === 0;
  if (succeeded.length > 0 && (await isSame())) {
    await Promise.all(succeeded.map(async (check) => successes.add(check.name, await inputsOf(check))));
  }
  return results;
}
