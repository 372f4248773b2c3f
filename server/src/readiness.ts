/** Whether this process can serve: the checks behind `GET /health/ready`. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { timeoutOf } from './config/timeout-factor.ts';
import type { CheckResult, ReadinessReporter } from './http/serve-health.ts';

export interface ReadinessCheck {
  readonly name: string;
  /** A result counts for this long, in milliseconds. So a flood of probes causes no flood of checks. */
  readonly validMs: number;
  /** Resolves to the reason of a failure in our own words, or to undefined. An exception is logged and counts as a failure. */
  test(): Promise<string | undefined>;
}

/** A check that takes longer has failed. It is not started again while it runs. */
const CHECK_TIMEOUT_MS = timeoutOf(2_000);

/** A failure counts for this long at most, so that the server soon notices its end. */
const MAX_FAILURE_VALID_MS = 1_000;

const OK: CheckResult = { status: 'ok' };

export class Readiness implements ReadinessReporter {
  readonly #checks: readonly KnownCheck[];
  #isStopping = false;

  constructor(checks: readonly ReadinessCheck[], log: Logger, timeoutMs = CHECK_TIMEOUT_MS) {
    this.#checks = checks.map((check) => new KnownCheck(check, log, timeoutMs));
  }

  /** The process stops: load balancers must send no more requests. */
  stop(): void {
    this.#isStopping = true;
  }

  async report(): Promise<Readonly<Record<string, CheckResult>>> {
    const results = await Promise.all(this.#checks.map(async (check) => [check.name, await check.result()] as const));
    const lifecycle: CheckResult = this.#isStopping ? { status: 'failed', reason: 'the server is stopping' } : OK;
    return { ...Object.fromEntries(results), lifecycle };
  }
}

/** A check with its latest result. */
class KnownCheck {
  readonly #check: ReadinessCheck;
  readonly #log: Logger;
  readonly #timeoutMs: number;
  #result: CheckResult = OK;
  #validUntil = 0;
  #running: Promise<void> | undefined;

  constructor(check: ReadinessCheck, log: Logger, timeoutMs: number) {
    this.#check = check;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
  }

  get name(): string {
    return this.#check.name;
  }

  async result(): Promise<CheckResult> {
    if (performance.now() < this.#validUntil) return this.#result;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    const over = new AbortController();
    const isLate = delay(this.#timeoutMs, true, { signal: over.signal }).catch(() => false);
    if (await Promise.race([this.#running.then(() => false), isLate])) this.#note('no response in time');
    over.abort();
    return this.#result;
  }

  async #run(): Promise<void> {
    try {
      this.#note(await this.#check.test());
    } catch (error) {
      this.#note('not available', error);
    }
  }

  /** The log says once when a check begins to fail, and once when it succeeds again. */
  #note(reason: string | undefined, error?: unknown): void {
    const wasOk = this.#result.status === 'ok';
    const facts = {
      check: this.name,
      ...(reason !== undefined && { reason }),
      ...(error !== undefined && { err: error }),
    };
    if (reason !== undefined && wasOk) this.#log.warn(facts, 'this server is not ready');
    if (reason === undefined && !wasOk) this.#log.warn(facts, 'a check of readiness succeeds again');
    this.#result = reason === undefined ? OK : { status: 'failed', reason };
    const validMs = reason === undefined ? this.#check.validMs : Math.min(this.#check.validMs, MAX_FAILURE_VALID_MS);
    this.#validUntil = performance.now() + validMs;
  }
}
