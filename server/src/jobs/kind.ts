/** Kinds of jobs, and the functions that run them. */
import type { Logger } from 'pino';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DbTransaction } from '../db/schema.ts';

/** A kind of job. Features use it to add jobs. */
export interface JobKind<Schema extends TSchema = TSchema> {
  /** Unique among all kinds. It is stored in the database, so it must never change. */
  readonly name: string;
  /** The shape of the stored payload. Each build must understand what the previous one has stored. */
  readonly payload: Schema;
  /** After this many attempts the job counts as failed and is kept. */
  readonly maximumAttempts: number;
  /**
   * The timeout of an attempt, in seconds. After it, the connection is destroyed and what the attempt wrote is rolled
   * back.
   */
  readonly withinSeconds: number;
  /**
   * For a recurring job: the pause until it runs again, in seconds. The server has one job of this kind, which never
   * fails permanently.
   */
  readonly everySeconds?: number;
  /**
   * Limits how many jobs of this kind a process runs at once, so that jobs which may hang leave workers for others.
   * Default: no limit.
   */
  readonly atOnce?: number;
}

/** A job's function throws this if a retry would fail in the same way. The job then fails permanently at once. */
export class HopelessError extends Error {
  override readonly name = 'HopelessError';
}

/** One attempt at a job: the argument of the function that runs it. */
export interface JobRun<Payload> {
  readonly id: number;
  /** null for jobs of the server. */
  readonly organizationId: number | null;
  readonly payload: Payload;
  /** The number of the attempt, from 1. An attempt whose process was killed counts too. */
  readonly attempt: number;
  /**
   * The transaction that also deletes the job: what is written here happens exactly once. Anything else may happen
   * again in the next attempt. It rejects every statement once the attempt is over.
   */
  readonly db: DbTransaction;
  /** Aborted at the timeout, or when the process stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Registers a function to call after the commit: for example, to publish events or to update state in memory. */
  afterCommit(act: () => void): void;
}

/** A kind with its function, without the type of its payload. */
export interface Job {
  readonly kind: JobKind;
  run(run: JobRun<unknown>): Promise<void>;
}

/**
 * Connects a kind to the function that runs its jobs.
 *
 * @example
 * const sendReminder: JobKind<typeof reminder> = { name: 'send-reminder', payload: reminder, maximumAttempts: 5,
 * withinSeconds: 30 };
 * job(sendReminder, async ({ db, organizationId, payload }) => { … });
 */
export function job<Schema extends TSchema>(
  kind: JobKind<Schema>,
  run: (run: JobRun<Static<Schema>>) => Promise<void>,
): Job {
  const payload = Compile(kind.payload);
  return {
    kind,
    async run(attempt) {
      if (!payload.Check(attempt.payload)) throw new Error('this build does not understand the payload');
      await run({ ...attempt, payload: attempt.payload as Static<Schema> });
    },
  };
}
