import { sql } from 'kysely';
import { isUnavailable } from '../db/failures.ts';
import type { Db } from '../db/schema.ts';
import { GroupCommit } from './group-commit.ts';

/** The columns of `queues` that serving a queue needs. */
export interface QueueRow {
  readonly id: string;
  readonly organization_id: number;
  readonly user_id: number;
  readonly client: string;
  readonly epoch: string;
  readonly settings: string;
  readonly starts_after: number;
  readonly acknowledged_id: number;
}

interface Wanted {
  readonly organizationId: number;
  readonly id: string;
}

/** How many queues one statement looks up. Such a page is a few megabytes at most. */
const QUEUES_PER_LOOKUP = 1_000;
/**
 * How many lookups may wait. After a restart all clients may ask at once; each of them needs little memory while it
 * waits.
 */
const MAX_WAITING_LOOKUPS = 50_000;

/** Looks queues up in the table. Lookups that arrive together share one statement. Index: primary key of `queues`. */
export function createQueueFinder(db: Db): (wanted: Wanted) => Promise<QueueRow | undefined> {
  const group = new GroupCommit<Wanted, QueueRow | undefined>({
    commit: async (wanted) => {
      const rows = await read(db, wanted);
      return wanted.map((one) => ({ result: rows.get(keyOf(one.organizationId, one.id)) }));
    },
    mayRetrySingly: () => false,
    concernsAll: isUnavailable,
    maximum: QUEUES_PER_LOOKUP,
    maxWaiting: MAX_WAITING_LOOKUPS,
  });
  return (wanted) => group.add(wanted);
}

async function read(db: Db, wanted: readonly Wanted[]): Promise<ReadonlyMap<string, QueueRow>> {
  const { rows } = await sql<QueueRow>`
    SELECT queues.id, queues.organization_id, user_id, client, epoch, settings, starts_after, acknowledged_id
      FROM unnest(${wanted.map(({ organizationId }) => organizationId)}::int[], ${wanted.map(({ id }) => id)}::text[])
        AS wanted (organization_id, id)
      JOIN queues ON queues.organization_id = wanted.organization_id AND queues.id = wanted.id`.execute(db);
  return new Map(rows.map((row) => [keyOf(row.organization_id, row.id), row]));
}

function keyOf(organizationId: number, id: string): string {
  return `${organizationId} ${id}`;
}
