import type { DbTransaction } from '../db/schema.ts';
import type { Directory } from '../directory/directory.ts';
import type { UserRecord } from '../directory/records.ts';
import type { QueueSettings } from '../log/queue.ts';

/** What a part of the initial state is made from: one snapshot of the database, and the directory at the same position (I7). */
export interface StateContext {
  readonly directory: Directory;
  readonly user: UserRecord;
  readonly settings: QueueSettings;
}

/**
 * A feature's part of what `POST /register` answers. `query` reads the snapshot and may wait; `build` runs afterwards, in one go for all
 * parts, with the directory at exactly the snapshot's position, and must not wait.
 */
export interface StatePart<Rows = unknown> {
  /** The event types that select this part; it is built when all of them are fetched. Empty: always. */
  readonly types: readonly string[];
  query?(snapshot: DbTransaction, context: StateContext): Promise<Rows>;
  build(context: StateContext, rows: Rows): object;
}

/** Keeps a part's own row type to itself. */
export function statePart<Rows>(part: StatePart<Rows>): StatePart {
  return part as StatePart;
}
