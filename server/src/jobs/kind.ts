/** Kinds of jobs, and the functions that run them. */
import type { Logger } from 'pino';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DbTransaction } from '../db/schema.ts';

/** A kind of job. Features use it to add jobs. */
export interface AnyJobKind<Schema extends TSchema = TSchema> {
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
  /**
   * The field of the payload that names an account. A process then runs one job of an account at a time, and serves first the account that
   * waited longest. Only with `atOnce`. Each claim reads all due jobs of the kind, so their number must have a bound.
   */
  readonly turnsBy?: string;
  /**
   * Whether an attempt can last longer than a few minutes. A transaction of that length would keep PostgreSQL from removing dead rows in the
   * whole database. So the attempt has none, and holds the job with a lock of its connection (`longJob`).
   */
  readonly isLong?: boolean;
}

export interface JobKind<Schema extends TSchema = TSchema> extends AnyJobKind<Schema> {
  readonly isLong?: false;
}

export interface LongJobKind<Schema extends TSchema = TSchema> extends AnyJobKind<Schema> {
  readonly isLong: true;
}

/** A job's function throws this if a retry would fail in the same way. The job then fails permanently at once. */
export class HopelessError extends Error {
  override readonly name = 'HopelessError';
}

/** One attempt at a long job: the argument of the function that runs it. */
export interface LongJobRun<Payload> {
  readonly id: number;
  /** null for jobs of the server. */
  readonly organizationId: number | null;
  readonly payload: Payload;
  /** The number of the attempt, from 1. An attempt whose process was killed counts too. */
  readonly attempt: number;
  /** Aborted at the timeout, when the process stops, or when a long job loses the connection that holds it. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** One attempt at a job: the argument of the function that runs it. */
export interface JobRun<Payload> extends LongJobRun<Payload> {
  /**
   * The transaction that also deletes the job: what is written here happens exactly once. Anything else may happen
   * again in the next attempt. It rejects every statement once the attempt is over.
   */
  readonly db: DbTransaction;
  /** Registers a function to call after the commit: for example, to publish events or to update state in memory. */
  afterCommit(act: () => void): void;
}

/** A kind with its function, without the type of its payload. */
export type Job = ShortJob | LongJob;

export interface ShortJob {
  readonly kind: JobKind;
  run(run: JobRun<unknown>): Promise<void>;
}

export interface LongJob {
  readonly kind: LongJobKind;
  run(run: LongJobRun<unknown>): Promise<void>;
}

export function isLongJob(one: Job): one is LongJob {
  return one.kind.isLong === true;
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
): ShortJob {
  const payloadOf = payloadReader(kind);
  return { kind, run: async (attempt) => run({ ...attempt, payload: payloadOf(attempt) }) };
}

/**
 * The same for a long kind. Only one process runs the job at a time. It writes in short transactions of its own, and its process can end
 * between the last of them and the deletion of the job. So a further attempt must notice that there is nothing left to do.
 */
export function longJob<Schema extends TSchema>(
  kind: LongJobKind<Schema>,
  run: (run: LongJobRun<Static<Schema>>) => Promise<void>,
): LongJob {
  const payloadOf = payloadReader(kind);
  return { kind, run: async (attempt) => run({ ...attempt, payload: payloadOf(attempt) }) };
}

/** The returned function throws for a payload that this build does not understand. */
function payloadReader<Schema extends TSchema>({ payload: schema }: AnyJobKind<Schema>) {
  const compiled = Compile(schema);
  return ({ payload }: LongJobRun<unknown>): Static<Schema> => {
    if (!compiled.Check(payload)) throw new Error('this build does not understand the payload');
    return payload as Static<Schema>;
  };
}
