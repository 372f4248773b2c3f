/** Adds and removes jobs. */
import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import type { Db, DbTransaction } from '../db/schema.ts';
import type { AnyJobKind } from './kind.ts';

/** Limits a payload, in bytes of JSON. A payload refers to data and does not contain it. */
const MAX_PAYLOAD_BYTES = 64 * 1024;

export interface NewJob<Payload> {
  /** null for jobs of the server. */
  readonly organizationId: number | null;
  readonly payload: Payload;
  /** Default: at once. */
  readonly dueAt?: Date;
  /** A job replaces an unfinished one with the same organization, kind and key. */
  readonly key?: string;
}

/**
 * Adds a job in the caller's transaction. Call `Jobs.wake` after the commit to start it at once; otherwise a process
 * finds it within seconds.
 * @throws RangeError if the payload is too large
 */
export async function addJob<Schema extends TSchema>(
  db: Db | DbTransaction,
  kind: AnyJobKind<Schema>,
  { organizationId, payload, dueAt, key }: NewJob<Static<Schema>>,
): Promise<void> {
  const text = stored(kind, payload);
  await sql`
    INSERT INTO jobs (organization_id, kind, key, payload, due_at)
    VALUES (${organizationId}, ${kind.name}, ${key ?? null}, ${text}::jsonb, coalesce(${dueAt ?? null}::timestamptz, now()))
    ON CONFLICT (organization_id, kind, key) WHERE key IS NOT NULL DO UPDATE
       SET payload = excluded.payload, due_at = excluded.due_at, added_at = now(),
           attempts = 0, failed_at = NULL, last_error = NULL`.execute(db);
}

/** Adds one job per payload, in one statement. Otherwise like `addJob`. */
export async function addJobs<Schema extends TSchema>(
  db: Db | DbTransaction,
  kind: AnyJobKind<Schema>,
  {
    organizationId,
    payloads,
  }: { readonly organizationId: number | null; readonly payloads: readonly Static<Schema>[] },
): Promise<void> {
  if (payloads.length === 0) return;
  await sql`
    INSERT INTO jobs (organization_id, kind, payload, due_at)
    SELECT ${organizationId}::integer, ${kind.name}, payload::jsonb, now()
      FROM unnest(${payloads.map((payload) => stored(kind, payload))}::text[]) AS payload`.execute(db);
}

function stored(kind: AnyJobKind, payload: unknown): string {
  const text = JSON.stringify(payload);
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) throw new RangeError(`a payload of ${kind.name} is too large`);
  return text;
}

const recurringKey = 'recurring';

/** Ensures that the job of each recurring kind exists, and that it is due within its interval. */
export async function ensureRecurring(db: Db, kinds: readonly AnyJobKind[]): Promise<void> {
  const recurring = kinds.filter(({ everySeconds }) => everySeconds !== undefined);
  const names = recurring.map(({ name }) => name);
  const intervals = recurring.map(({ everySeconds }) => everySeconds);
  const statement = sql`
    WITH known AS (
      SELECT kind, make_interval(secs => every) AS every
        FROM unnest(${names}::text[], ${intervals}::float8[]) AS known (kind, every)
    ), late AS (
      SELECT jobs.id, known.every
        FROM jobs JOIN known USING (kind)
       WHERE organization_id IS NULL AND key = ${recurringKey} AND due_at > now() + known.every
         FOR UPDATE OF jobs SKIP LOCKED
    ), added AS (
      INSERT INTO jobs (kind, key, payload) SELECT kind, ${recurringKey}, '{}' FROM known ORDER BY kind
      ON CONFLICT (organization_id, kind, key) WHERE key IS NOT NULL DO NOTHING
    )
    UPDATE jobs SET due_at = now() + late.every FROM late WHERE jobs.id = late.id`;
  // A server starts even if the disk is almost full.
  await db
    .transaction()
    .setAccessMode('read write')
    .execute((transaction) => statement.execute(transaction));
}
