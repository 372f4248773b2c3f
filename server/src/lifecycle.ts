import { constants } from 'node:os';
import type { Logger } from 'pino';

/** Connects a starting server to the life of its process. */
export interface ProcessLife {
  /** Aborted when the process is asked to stop. A long start checks it between its steps. */
  readonly stopping: AbortSignal;
  /** Registers an action for the stop of the process. Actions run in reverse order. */
  onStop(what: string, undo: () => Promise<void>): void;
}

// biome-ignore lint/suspicious/noExplicitAny: as Node.js declares listeners of a process
type Listener = (...values: any[]) => void;

/** What a running command needs of its process: signals, uncaught errors, and an immediate end. `process` in production. */
export interface HostProcess {
  on(event: string, listener: Listener): unknown;
  once(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
  exit(code: number): void;
}

export interface LifeOptions {
  readonly log: Logger;
  readonly host: HostProcess;
  /** The timeout of a graceful stop. */
  readonly stopWithinMilliseconds?: number;
  /**
   * A second signal within this time belongs to the same request. Ctrl-C under `npm start` reaches this process twice:
   * from the terminal, and from npm, which forwards it.
   */
  readonly sameRequestMilliseconds?: number;
}

/** SIGHUP: the terminal was closed. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Runs a server until a SIGTERM, SIGINT or SIGHUP, and stops it in order. A second signal or a timeout ends the process
 * at once. An uncaught exception is logged and ends the process with code 1, because the state may be damaged. The next
 * start recovers. Resolves with the exit code after an orderly stop.
 * @throws the error of `start`, after undoing what it had registered
 */
export async function liveUntilStopped(
  { log, host, stopWithinMilliseconds = 10_000, sameRequestMilliseconds = 500 }: LifeOptions,
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
      giveUpAfter(stopWithinMilliseconds, log, host);
      stopping.abort();
      asked.resolve();
    } else if (now - askedAt >= sameRequestMilliseconds) {
      log.warn({ signal }, 'stopping immediately');
      host.exit(128 + constants.signals[signal]);
    }
  };
  // Never removed, so that a signal cannot interrupt the last steps either.
  for (const signal of signals) host.on(signal, onSignal);
  endOnUncaught(log, host);

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
    log.info('stopped during the start');
    return 0;
  }
  const clean = await undoAll();
  log.info('stopped');
  return clean ? 0 : 1;
}

function giveUpAfter(milliseconds: number, log: Logger, host: HostProcess): void {
  const timer = setTimeout(() => {
    log.fatal(`the server did not stop within ${milliseconds / 1000} s`);
    host.exit(1);
  }, milliseconds);
  timer.unref();
}

function endOnUncaught(log: Logger, host: HostProcess): void {
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'uncaught exception');
    host.exit(1);
  };
  host.on('uncaughtException', end);
  host.on('unhandledRejection', end);
}
