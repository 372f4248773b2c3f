/** What a kind of job is, and what it does. */
import type { Logger } from 'pino';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DbTransaction } from '../db/schema.ts';

/** A kind of job: what features name to add one. */
export interface JobKind<Schema extends TSchema = TSchema> {
  /** Unique among the kinds, and for ever: it is stored. */
  readonly name: string;
  /** What is stored of a job. A build must still understand what the one before has stored. */
  readonly payload: Schema;
  /** After so many attempts a job is kept among the failed. */
  readonly maximumAttempts: number;
  /** An attempt that takes longer is cut off, and what it wrote is undone, in seconds. */
  readonly withinSeconds: number;
  /** There is one such job, of the server, and it comes back so long after it was done, in seconds. It never fails for good. */
  readonly everySeconds?: number;
  /**
   * A process does so many of the kind at once, so that one whose attempts may hang leaves room for the others. As many as there is room for
   * if not given.
   */
  readonly atOnce?: number;
}

/** Thrown by a job's function where another attempt would come to the same: the job is put among the failed at once. */
export class HopelessError extends Error {
  override readonly name = 'HopelessError';
}

/** One attempt at a job, as the kind's function sees it. */
export interface JobRun<Payload> {
  readonly id: number;
  /** null for the server's own jobs. */
  readonly organizationId: number | null;
  readonly payload: Payload;
  /** 1 for the first. A process that was killed in the middle of one has made an attempt too. */
  readonly attempt: number;
  /**
   * The transaction that the job's end commits with: what is written here happens exactly once. What is done elsewhere may happen again
   * in the next attempt. Nothing of it works any more once the attempt is over.
   */
  readonly db: DbTransaction;
  /** Aborted when the time is up or the process stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Does something once all of it is committed: telling the log's readers, adding to what is in memory. */
  afterCommit(act: () => void): void;
}

/** A kind with what it does, its payload's type forgotten: what the room takes. */
export interface Job {
  readonly kind: JobKind;
  run(run: JobRun<unknown>): Promise<void>;
}

/**
 * Ties a kind to what it does.
 *
 * @example
 * const sendReminder: JobKind<typeof reminder> = { name: 'send-reminder', payload: reminder, maximumAttempts: 5, withinSeconds: 30 };
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
      if (!payload.Check(attempt.payload)) throw new Error('the payload is not what this build stores');
      await run({ ...attempt, payload: attempt.payload as Static<Schema> });
    },
  };
}
