/** Puts jobs where workers find them. */
import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import type { Db, DbTransaction } from '../db/schema.ts';
import type { JobKind } from './kind.ts';

/** Bytes of a payload as JSON: it names what a job is about, and does not carry it. */
const largestPayload = 64 * 1024;

export interface NewJob<Payload> {
  /** null for the server's own. */
  readonly organizationId: number | null;
  readonly payload: Payload;
  /** At once if not given. */
  readonly dueAt?: Date;
  /** A job of the same organization, kind and key takes the place of one that is not done. */
  readonly key?: string;
}

/**
 * Adds a job with whatever else the transaction writes. Once that is committed, `Jobs.wake` lets it begin at once; without, it is
 * found within seconds.
 * @throws RangeError where the payload is too large
 */
export async function addJob<Schema extends TSchema>(
  db: Db | DbTransaction,
  kind: JobKind<Schema>,
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

/** Adds as many jobs as there are payloads, in one statement; otherwise as `addJob`. */
export async function addJobs<Schema extends TSchema>(
  db: Db | DbTransaction,
  kind: JobKind<Schema>,
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

function stored(kind: JobKind, payload: unknown): string {
  const text = JSON.stringify(payload);
  if (Buffer.byteLength(text) > largestPayload) throw new RangeError(`a payload of ${kind.name} is too large`);
  return text;
}

/** Takes back the job of that key, if it is neither done nor being done; whether there was one. Index: jobs_by_key. */
export async function removeJob(
  db: Db | DbTransaction,
  kind: JobKind,
  { organizationId, key }: { readonly organizationId: number | null; readonly key: string },
): Promise<boolean> {
  const { rows } = await sql`
    DELETE FROM jobs
     WHERE id = (SELECT id FROM jobs
                  WHERE organization_id IS NOT DISTINCT FROM ${organizationId} AND kind = ${kind.name} AND key = ${key}
                    FOR UPDATE SKIP LOCKED)
    RETURNING id`.execute(db);
  return rows.length > 0;
}

const recurringKey = 'recurring';

/** Sees to it that the one job of a recurring kind is there, and due no later than its interval says. */
export async function ensureRecurring(db: Db, { name, everySeconds = 0 }: JobKind): Promise<void> {
  await sql`
    INSERT INTO jobs (kind, key, payload) VALUES (${name}, ${recurringKey}, '{}')
    ON CONFLICT (organization_id, kind, key) WHERE key IS NOT NULL DO NOTHING`.execute(db);
  await sql`
    UPDATE jobs SET due_at = now() + make_interval(secs => ${everySeconds})
     WHERE id = (SELECT id FROM jobs
                  WHERE organization_id IS NULL AND kind = ${name} AND key = ${recurringKey}
                    AND due_at > now() + make_interval(secs => ${everySeconds})
                    FOR UPDATE SKIP LOCKED)`.execute(db);
}
