/**
 * A CPU queue for work that takes milliseconds. A request passes the event loop several times until it has its response, with the database
 * between. If heavy work ran as it comes, each pass would wait for all of it. So one caller at a time gets a turn. After each turn,
 * everything else gets as much time as the turn took.
 */
const waiting: (() => void)[] = [];
/** The longest pause after a turn, in milliseconds. A turn that takes too long must not delay the queue by as much again. */
const MAX_REST_MS = 25;

/**
 * Resolves when it is the caller's turn, in the order of the calls. The caller's next synchronous work should take a few milliseconds at
 * most.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  const began = performance.now();
  // The caller stays in the queue until the pause after its turn has ended.
  waiting[0]?.();
  // The timer starts after the work of the turn, which follows synchronously.
  setImmediate(() => setTimeout(advance, Math.min(MAX_REST_MS, performance.now() - began)));
}

function advance(): void {
  waiting.shift();
  if (waiting.length > 0) next();
}
