import { CompiledQuery, sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Queue } from '../../log/queue.ts';
import { ADD_QUEUE, type AddedRow, type NewQueue, type QueueStore } from '../../log/queue-store.ts';

/**
 * Adds a queue without an initial state.
 * @param start its start, instead of the log's position
 */
export async function addQueue(db: Db, store: QueueStore, queue: NewQueue, start: number): Promise<Queue> {
  const { values, makeRoom, added } = store.adding(queue);
  const { rows } = await db.executeQuery<AddedRow>(CompiledQuery.raw(ADD_QUEUE, [...values]));
  const [row] = rows;
  if (row === undefined) throw new Error(`organization ${queue.organizationId} has no log`);
  await makeRoom(row);
  const one = added(start, row);
  await sql`
    UPDATE queues SET starts_after = ${start}, acknowledged_id = ${start}
     WHERE organization_id = ${queue.organizationId} AND id = ${one.id}`.execute(db);
  return one;
}
