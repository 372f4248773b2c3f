/** What the test files of a process share, such as a browser, ends with the process. */

type End = () => Promise<void>;

let ends: End[] | undefined;

/** The runner of several files calls this before the first one, and `endShared` after the last one. */
export function shareUntilProcessEnds(): void {
  ends ??= [];
}

/** Returns false if the process runs one file alone. Then the caller ends what it started. */
export function atProcessEnd(end: End): boolean {
  ends?.push(end);
  return ends !== undefined;
}

export async function endShared(): Promise<void> {
  for (const end of (ends ?? []).splice(0)) await end();
}
