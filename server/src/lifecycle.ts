import { constants } from 'node:os';
import type { Logger } from 'pino';

/** What a starting server is given to take part in its process's life. */
export interface ProcessLife {
  /** Aborted when the process is asked to stop. A long start looks at it between its steps. */
  readonly stopping: AbortSignal;
  /** Registers what is to be undone when the process stops. The last registered is undone first. */
  onStop(what: string, undo: () => Promise<void>): void;
}

export interface LifeOptions {
  readonly log: Logger;
  /** After so long a graceful stop is given up. */
  readonly stopWithinMilliseconds?: number;
  /**
   * A second signal this soon is the same request. Ctrl-C under `npm start` reaches this process twice: from the terminal,
   * and from npm, which passes on what it gets.
   */
  readonly sameRequestMilliseconds?: number;
}

/** SIGHUP: the terminal was closed. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Runs a server from its start until a SIGTERM, SIGINT or SIGHUP, and stops it in order; a second signal, or a stop that takes
 * too long, ends the process at once. An exception that nobody caught is logged and ends it with code 1: the state is
 * not to be trusted then, and the next start takes over what is left. Resolves with the exit code after an orderly stop.
 * @throws what `start` threw, after undoing what it had registered
 */
export async function liveUntilStopped(
  { log, stopWithinMilliseconds = 10_000, sameRequestMilliseconds = 500 }: LifeOptions,
  start: (life: ProcessLife) => Promise<void>,
): Promise<number> {
  const stopping = new AbortController();
  const undoings: { readonly what: string; readonly undo: () => Promise<void> }[] = [];

  const asked = Promise.withResolvers<void>();
  let askedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (askedAt === undefined) {
      askedAt = now;
      log.info({ signal }, 'stopping');
      giveUpAfter(stopWithinMilliseconds, log);
      stopping.abort();
      asked.resolve();
    } else if (now - askedAt >= sameRequestMilliseconds) {
      log.warn({ signal }, 'stopping at once');
      process.exit(128 + constants.signals[signal]);
    }
  };
  // Never taken off again: a signal during the last steps must not cut them short either.
  for (const signal of signals) process.on(signal, onSignal);
  endOnUncaught(log);

  const undoAll = async (): Promise<boolean> => {
    let clean = true;
    for (let next = undoings.pop(); next !== undefined; next = undoings.pop()) {
      const { what, undo } = next;
      await undo().catch((error: unknown) => {
        clean = false;
        log.error({ err: error }, `could not stop ${what}`);
      });
    }
    return clean;
  };

  try {
    await start({
      stopping: stopping.signal,
      onStop: (what, undo) => {
        undoings.push({ what, undo });
      },
    });
    await asked.promise;
  } catch (error) {
    await undoAll();
    if (!stopping.signal.aborted) throw error;
    log.info('stopped while starting');
    return 0;
  }
  const clean = await undoAll();
  log.info('stopped');
  return clean ? 0 : 1;
}

function giveUpAfter(milliseconds: number, log: Logger): void {
  const timer = setTimeout(() => {
    log.fatal(`could not stop within ${milliseconds / 1000} s`);
    process.exit(1);
  }, milliseconds);
  timer.unref();
}

function endOnUncaught(log: Logger): void {
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'an exception that nobody caught');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
