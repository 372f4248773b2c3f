/**
 * Work on hostile input in another process, which never holds the event loop of the server. It has limits of time and memory. A thread would
 * not do: if one allocation exceeds the memory limit of a thread, V8 ends the whole process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { ConcurrencyLimiter } from '../concurrency-limiter.ts';
import { type Frame, framesOf, writeFrame } from './frames.ts';
import type { WorkerResponse } from './serve.ts';

export interface WorkerOptions {
  /** The file of its program, which calls `serveWorker`. */
  readonly program: string;
  readonly maxHeapMegabytes: number;
  /** Processor time of one request, including the start of a new process. Where the system does not tell it: time. */
  readonly maxMilliseconds: number;
  /** The longest duration of one request. Other processes go first, so a longer one says nothing about its input. */
  readonly maxDelayMilliseconds: number;
  readonly maxResponseBytes: number;
  /** Requests that wait. Further ones are refused at once. */
  readonly maxWaiting: number;
  /** Makes the error for requests that may not wait. */
  readonly refusal: () => Error;
}

/** The input needs more time or memory than a request may have, or the code cannot process it. */
export class WorkerLimitError extends Error {
  override readonly name = 'WorkerLimitError';
}

/** An idle process ends after this time, and gives its memory back. */
const IDLE_MS = 60_000;
/** Other processes go first. */
const WORKER_NICENESS_LEVEL = 5;
const CHECK_INTERVAL_MS = 100;
/** Node.js ends with the first if its heap is full, and with others if a single value is too large. */
const CRASHES: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);

interface Running {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly frames: AsyncGenerator<Frame>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** One process, which begins with the first request. Requests run one at a time, in the order of their arrival. */
export class WorkerProcess {
  readonly #options: WorkerOptions;
  readonly #requests: ConcurrencyLimiter;
  #running: Running | undefined;
  /** Processes that have not ended, also idle ones whose input is closed. */
  readonly #alive = new Set<Running>();
  #idle: NodeJS.Timeout | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { maxWaiting, refusal } = options;
    this.#requests = new ConcurrencyLimiter({ atOnce: 1, maxWaiting, refusal });
  }

  /**
   * @param prepare runs when it is the request's turn, and returns the request.
   * @throws WorkerLimitError; the refusal of the options; what `prepare` throws; an error of the system
   */
  run(prepare: () => { value: unknown; bytes: readonly (readonly Buffer[])[] }): Promise<Frame> {
    return this.#requests.run('all', async () => {
      const { value, bytes } = prepare();
      clearTimeout(this.#idle);
      const isNew = this.#running === undefined;
      this.#running ??= this.#begin();
      const running = this.#running;
      const begunAt = performance.now();
      const usedBefore = isNew ? 0 : processorTimeOf(running.child);
      let isLate = false;
      const timer = setInterval(() => {
        const { maxMilliseconds, maxDelayMilliseconds } = this.#options;
        const taken = performance.now() - begunAt;
        const used = (processorTimeOf(running.child) ?? Number.NaN) - (usedBefore ?? Number.NaN);
        isLate = (Number.isNaN(used) ? taken : used) > maxMilliseconds;
        if (isLate || taken > maxDelayMilliseconds) this.#kill(running);
      }, CHECK_INTERVAL_MS);
      try {
        writeFrame(running.input, value, bytes);
        const frame = await nextOf(running);
        if (frame === undefined) throw await this.#reasonOfEnd(running, () => isLate);
        const response = frame.value as WorkerResponse;
        if ('error' in response) throw new WorkerLimitError(response.error);
        return { value: response.result, bytes: frame.bytes };
      } catch (error) {
        if (!(error instanceof WorkerLimitError)) this.#kill(running);
        throw error;
      } finally {
        clearInterval(timer);
        this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
      }
    });
  }

  /** Ends the process, also an idle one that is about to end. A request that runs fails. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const alive = [...this.#alive];
    for (const running of alive) this.#kill(running);
    await Promise.all(alive.map(({ ended }) => ended));
  }

  #begin(): Running {
    const { program, maxHeapMegabytes, maxResponseBytes } = this.#options;
    // Nothing else from the environment: it has the secrets of the server.
    const { PATH = '', NODE_COMPILE_CACHE } = process.env;
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${maxHeapMegabytes}`, '--max-semi-space-size=16', program],
      {
        env: { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) },
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    const { promise: ended, resolve } = Promise.withResolvers<Awaited<Running['ended']>>();
    child.on('close', (code, signal) => resolve({ code, signal }));
    // 'close' follows, also if the process could not begin.
    child.on('error', () => undefined);
    const [input, output] = child.stdio as unknown as [Writable, Readable];
    input.on('error', () => undefined);
    try {
      if (child.pid !== undefined) setPriority(child.pid, WORKER_NICENESS_LEVEL);
    } catch {
      // The process has ended already, or the system does not allow it.
    }
    const running = { child, input, frames: framesOf(output, maxResponseBytes), ended };
    this.#alive.add(running);
    ended.then(() => {
      this.#alive.delete(running);
      if (this.#running === running) this.#running = undefined;
    });
    return running;
  }

  async #reasonOfEnd(running: Running, isLate: () => boolean): Promise<Error> {
    // Changes nothing about a process that has ended.
    this.#kill(running);
    const { code, signal } = await running.ended;
    if (isLate()) return new WorkerLimitError('it takes too long');
    if (signal !== null && CRASHES.has(signal)) return new WorkerLimitError('it needs too much memory');
    return new Error(`the worker process ended with ${signal ?? `code ${code}`}`);
  }

  #end(): void {
    this.#running?.input.end();
    this.#running = undefined;
  }

  #kill(running: Running): void {
    if (this.#running === running) this.#running = undefined;
    running.child.kill('SIGKILL');
  }
}

/**
 * The processor time of the process in milliseconds. Undefined where the system does not tell it. Source: proc(5), the
 * fields utime and stime, in hundredths of a second.
 */
function processorTimeOf({ pid }: ChildProcess): number | undefined {
  try {
    const facts = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, can contain spaces.
    const fields = facts.slice(facts.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

/** Undefined if the process has ended, or if its response is too large. */
async function nextOf({ frames }: Running): Promise<Frame | undefined> {
  try {
    const { value } = await frames.next();
    return value;
  } catch {
    return undefined;
  }
}
