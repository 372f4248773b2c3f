/**
 * Turns for work that takes milliseconds. A server does one thing at a time, and what somebody else sends passes it several times until it
 * is answered, with the database between: were all that is heavy done as it comes, each of those times would be as long as all of it
 * together. So there is one turn at a time, whoever wants it, and after each as long again for everything else.
 */
const waiting: (() => void)[] = [];
/** Milliseconds: of what takes longer than it should the others need not have as much. */
const LONGEST_REST = 25;

/** Resolves when it is the caller's turn: in the order of asking. What the caller then does at once should take some milliseconds at most. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  const began = performance.now();
  // It stays in the line until all have had their rest from it.
  waiting[0]?.();
  // After what is done in the turn, which follows without a break.
  setImmediate(() => setTimeout(advance, Math.min(LONGEST_REST, performance.now() - began)));
}

function advance(): void {
  waiting.shift();
  if (waiting.length > 0) next();
}
