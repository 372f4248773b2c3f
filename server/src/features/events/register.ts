import type { Answer } from '@heddle/api/contract.ts';
import type { registerQueue } from '@heddle/api/endpoints/events.ts';
import type pg from 'pg';
import type { DbTransaction } from '../../db/schema.ts';
import { inSnapshot } from '../../db/transaction.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { QueueSettings } from '../../log/queue.ts';
import { readPosition } from '../../log/read.ts';
import type { StateContext, StatePart } from '../initial-state.ts';

export interface InitialStateRequest {
  readonly pool: pg.Pool;
  readonly organization: Organization;
  readonly user: UserRecord;
  readonly settings: QueueSettings;
  /** The event types whose state is wanted; null for all. */
  readonly types: readonly string[] | null;
  readonly stateParts: readonly StatePart[];
}

/** The answer of `POST /register` but for the queue. */
export type State = Omit<Answer<typeof registerQueue>, 'queue_id' | 'last_event_id'>;

export interface InitialState {
  readonly state: State;
  /** The log's position that the state is true for. */
  readonly position: number;
}

/** How often to hope that nothing changes the directory meanwhile, before the log is locked. */
const ATTEMPTS = 4;

/**
 * The initial state at one position of the log (I7): the database's part from one snapshot, the rest from the directory once it has
 * reached the snapshot's position and if nothing has changed it since. Where changes come too fast for that, the log is locked meanwhile.
 */
export async function readInitialState(request: InitialStateRequest): Promise<InitialState> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const state = await readWithDirectory(request);
    if (state !== undefined) return state;
  }
  return readWithLog(request);
}

/** With the log's lock, so that nothing can change: always succeeds, and holds up the organization for as long as its queries take. */
async function readWithLog(request: InitialStateRequest): Promise<InitialState> {
  const { organization } = request;
  const initial = await organization.change(async ({ db, directory, position }) => {
    const build = await query(db, request, directory);
    return { state: build(directory), position: position.head };
  });
  // Not before it is durable: a client must not go on from a position that could be lost.
  await organization.reached(initial.position);
  return initial;
}

async function readWithDirectory(request: InitialStateRequest): Promise<InitialState | undefined> {
  const { pool, organization } = request;
  const { directory } = organization;
  const read = await inSnapshot(pool, async (snapshot) => {
    const known = directory.changedAt;
    // Mostly the directory is where the snapshot is; then one exchange with the database is enough.
    const [{ head, directoryHead }, build] = await Promise.all([
      readPosition(snapshot, organization.id),
      query(snapshot, request, directory),
    ]);
    if (directoryHead === known && directory.changedAt === known) return { head, build };
    // Another process may have changed what the queries ask the directory for.
    await organization.catchUpWith(snapshot);
    if (directory.changedAt > head) return undefined;
    return { head, build: await query(snapshot, request, directory) };
  });
  if (read === undefined) return undefined;
  await organization.reached(read.head);
  if (directory.changedAt > read.head) return undefined;
  return { state: read.build(directory), position: read.head };
}

/** Runs the queries of the parts that are wanted; returns what builds them. */
async function query(
  snapshot: DbTransaction,
  { user, settings, types, stateParts }: InitialStateRequest,
  directory: Directory,
): Promise<(directory: Directory) => State> {
  const wanted = stateParts.filter((part) => types === null || part.types.every((type) => types.includes(type)));
  const rows = await Promise.all(wanted.map((part) => part.query?.(snapshot, { directory, user, settings })));
  return (reached) => {
    // The user as of the position, not of when the request was authenticated.
    const context: StateContext = { directory: reached, user: reached.user(user.id) ?? user, settings };
    // Each part answers with its own fields of the contract; together they are the whole.
    return Object.assign({}, ...wanted.map((part, index) => part.build(context, rows[index])));
  };
}
