import { sql } from 'kysely';
import { isUnavailable } from '../db/failures.ts';
import type { Db } from '../db/schema.ts';
import { GroupCommit } from './group-commit.ts';

/** A row of `queues`, as far as serving it needs. */
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

/** So many are found by one statement; a page of them is some megabytes at most. */
const PAGE = 1_000;
/** All clients of a server that has started again may ask at once, and each keeps little while it waits. */
const MOST_WAITING = 50_000;

/** Finds queues in the table, those that are asked for together with one statement. Index: queues' primary key. */
export function createQueueFinder(db: Db): (wanted: Wanted) => Promise<QueueRow | undefined> {
  const group = new GroupCommit<Wanted, QueueRow | undefined>({
    commit: async (wanted) => {
      const rows = await read(db, wanted);
      return wanted.map((one) => ({ result: rows.get(keyOf(one.organizationId, one.id)) }));
    },
    mayRetrySingly: () => false,
    concernsAll: isUnavailable,
    maximum: PAGE,
    mostWaiting: MOST_WAITING,
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
