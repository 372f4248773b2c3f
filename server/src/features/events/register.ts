import type { Answer } from '@heddle/api/contract.ts';
import type { registerQueue } from '@heddle/api/endpoints/events.ts';
import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import { isReadOnly, ranOutOfTime } from '../../db/failures.ts';
import { writtenStatement } from '../../db/prepared.ts';
import { inOneStatement, inSnapshot } from '../../db/transaction.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { isSelected, type ReadSnapshot, type StateContext, type StatePart } from '../../extension/initial-state.ts';
import type { Queue, QueueSettings } from '../../log/queue.ts';
import type { QueueStore } from '../../log/queue-store.ts';
import type { LogPosition } from '../../log/read.ts';
import { type SelectedRow, selectionOf } from './selection.ts';

export interface Registration {
  readonly pool: pg.Pool;
  readonly queues: QueueStore;
  readonly organization: Organization;
  readonly user: UserRecord;
  readonly client: string;
  readonly settings: QueueSettings;
  /** The event types whose state the client wants; null for all. */
  readonly types: readonly string[] | null;
  readonly stateParts: readonly StatePart[];
}

/** The response of `POST /register` without the queue. */
export type State = Omit<Answer<typeof registerQueue>, 'queue_id' | 'last_event_id'>;

export interface Registered {
  /** It begins at the log position of the state. */
  readonly queue: Queue;
  readonly state: State;
}

/** The number of snapshots before the registration locks the log. */
const MAX_SNAPSHOT_ATTEMPTS = 3;

/**
 * A new queue, and the initial state at the log position where the queue begins (I7). One statement adds the queue and selects what the
 * state needs from the database. The rest comes from the directory. There are three protocols:
 *
 * 1. `registerAtOnce`: this statement alone. The log may grow meanwhile, the directory must not change.
 * 2. `registerInSnapshot`: the same with further reads of the same snapshot, which few users need.
 * 3. `registerWithLog`: with the organization lock, so nothing can change.
 *
 * Example: the head of the log is 700 when Ada's client registers.
 *
 * - The snapshot adds the queue at 700. The directory of this process has applied the events up to 698, so
 *   `registerAtOnce` waits for 700.
 * - Meanwhile Bob renames a channel (event 701), so `directory.changedAt` is 701. A state built now would contain the new name, and event
 *   701 would follow in the queue. So the queue is removed.
 * - The second snapshot begins at 701. Carol sends a message (event 702), which does not change the directory. The state of 701 is
 *   complete, and the queue delivers 702.
 * - If other users changed the directory during each of three snapshots, `registerWithLog` would lock the log.
 *
 * @throws OtherEpochError
 */
export async function register(registration: Registration): Promise<Registered> {
  for (let attempt = 0; attempt < MAX_SNAPSHOT_ATTEMPTS; attempt++) {
    const registered = needTransaction.has(registration.user)
      ? await registerInSnapshot(registration)
      : await registerAtOnce(registration);
    if (registered !== undefined) return registered;
  }
  return registerWithLog(registration);
}

/** The log position of a state is no longer the current one. */
class OvertakenError extends Error {
  override readonly name: string = 'OvertakenError';
}

/** The log has begun another epoch than that of the organization in memory. There is no queue. */
export class OtherEpochError extends Error {
  override readonly name: string = 'OtherEpochError';
}

function undefinedIfOvertaken(error: unknown): undefined {
  if (!(error instanceof OvertakenError)) throw error;
}

/**
 * The users for whom one statement was not enough: it took too long, or a part had to read more. Removing a queue and beginning again costs more
 * than a transaction, so they are not tried again until their record changes.
 */
const needTransaction = new WeakSet<UserRecord>();

/** A part must read more from the snapshot. */
class MoreReadsError extends Error {
  override readonly name = 'MoreReadsError';
}

const readNoMore: ReadSnapshot = async () => {
  throw new MoreReadsError('a part reads more from the snapshot');
};

/**
 * One statement adds the queue and reads everything. PostgreSQL commits it without an exchange with this process, which builds the state
 * meanwhile. Most registrations end this way.
 */
async function registerAtOnce(registration: Registration): Promise<Registered | undefined> {
  const { pool, organization, queues, user } = registration;
  const { directory } = organization;
  const { statement, resultOf } = statementFor(registration);
  const stateOf = async ({ position: { head }, prepareState }: StatementResult): Promise<State | undefined> => {
    if (organization.position < head || directory.changedAt > head) return undefined;
    const build = await prepareState(readNoMore);
    return directory.changedAt <= head ? build() : undefined;
  };
  const added = await inOneStatement(pool, statement, async (row) => {
    const result = resultOf(row);
    const [state] = await Promise.allSettled([stateOf(result)]);
    return { result, state };
  }).catch((error: unknown) => undefinedIfTransactionHelps(error, user));
  if (added === undefined) return registerInSnapshot(registration);
  const { result, state } = added;
  const queue = result.openQueue();
  try {
    checkEpoch(organization, result);
    // After the commit: a registration that fails must not end the queue of another device.
    await result.makeRoom();
    if (state.status === 'rejected') throw state.reason;
    if (state.value !== undefined) return { queue, state: state.value };
    await organization.reached(result.position.head);
    const later = await stateOf(result);
    if (later !== undefined) return { queue, state: later };
  } catch (error) {
    await queues.remove(queue).catch(() => undefined);
    if (!(error instanceof MoreReadsError)) throw error;
    needTransaction.add(user);
    return registerInSnapshot(registration);
  }
  // The client cannot use a queue without its state.
  await queues.remove(queue);
  return undefined;
}

/** A transaction may write to a database that is read-only by default, and its statements may take longer. */
function undefinedIfTransactionHelps(error: unknown, user: UserRecord): undefined {
  if (ranOutOfTime(error)) needTransaction.add(user);
  else if (!(error instanceof pg.DatabaseError && isReadOnly(error.code))) throw error;
}

/** Reads everything in one snapshot. The log may grow meanwhile; only the directory must not change. */
async function registerInSnapshot(registration: Registration): Promise<Registered | undefined> {
  const { pool, organization, queues } = registration;
  const { directory } = organization;
  const snapshotRead = await inSnapshot(pool, async (snapshot) => {
    const { statement, resultOf } = statementFor(registration);
    const result = resultOf((await snapshot.executeQuery(statement)).rows[0]);
    checkEpoch(organization, result);
    const { head, directoryHead } = result.position;
    if (directory.changedAt < directoryHead) await organization.catchUpWith(snapshot);
    if (directory.changedAt > head) throw new OvertakenError('the directory has changed');
    const build = await result.prepareState((act) => act(snapshot));
    let state: State | undefined;
    return {
      meanwhile() {
        if (organization.position >= head && directory.changedAt <= head) state = build();
      },
      result: () => ({ result, head, build, state }),
    };
  }).catch(undefinedIfOvertaken);
  if (snapshotRead === undefined) return undefined;
  const { result, head, build } = snapshotRead;
  const queue = result.openQueue();
  try {
    await result.makeRoom();
    if (snapshotRead.state !== undefined) return { queue, state: snapshotRead.state };
    await organization.reached(head);
    if (directory.changedAt <= head) return { queue, state: build() };
  } catch (error) {
    await queues.remove(queue).catch(() => undefined);
    throw error;
  }
  // The client cannot use a queue without its state.
  await queues.remove(queue);
  return undefined;
}

/**
 * Holds the organization lock, so that nothing can change. It always succeeds, and blocks the organization for as long as its queries take.
 */
async function registerWithLog(registration: Registration): Promise<Registered> {
  const { organization } = registration;
  const { result, state } = await organization.transact('server', 'exclusive', async ({ db }) => {
    const { statement, resultOf } = statementFor(registration);
    const result = resultOf((await db.executeQuery(statement)).rows[0]);
    checkEpoch(organization, result);
    const build = await result.prepareState((act) => act(db));
    return { result, state: build() };
  });
  // Waits until the change is durable: a client must not continue from a position that could be lost.
  await organization.reached(result.position.head);
  await result.makeRoom();
  return { queue: result.openQueue(), state };
}

function checkEpoch({ epoch }: Organization, result: StatementResult): void {
  if (result.epoch !== epoch) throw new OtherEpochError('the log has begun a new epoch');
}

type Build = () => State;

/** The queue that the statement has added, and the values that it has selected. */
interface StatementResult {
  readonly epoch: string;
  readonly position: LogPosition;
  makeRoom(): Promise<void>;
  /** Call it after the commit. */
  openQueue(): Queue;
  /**
   * Reads what the statement could not select, with the directory at the position. The directory must still be there when the state is
   * built.
   */
  prepareState(read: ReadSnapshot): Promise<Build>;
}

/** The statement that adds the queue, and a function that reads its rows. */
interface RegisterStatement {
  readonly statement: CompiledQuery<SelectedRow>;
  resultOf(row: SelectedRow | undefined): StatementResult;
}

function statementFor(registration: Registration): RegisterStatement {
  const { queues, organization, user, client, settings, types, stateParts } = registration;
  const wanted = stateParts.map((part) => isSelected(part, types));
  const { name, text, places } = selectionOf(stateParts, wanted);
  const { id: organizationId, directory } = organization;
  const newQueue = queues.adding({ organizationId, userId: user.id, client, settings });
  const resultOf = (row: SelectedRow | undefined): StatementResult => {
    if (row === undefined) throw new Error(`organization ${organizationId} has no log`);
    const [position] = row.selected;
    return {
      epoch: row.epoch,
      position,
      makeRoom: () => newQueue.makeRoom(row),
      openQueue: () => newQueue.added(position.head, row),
      async prepareState(read) {
        const context = contextOf(directory, user, settings);
        const values = await Promise.all(
          stateParts.map((part, index) => {
            const value = row.selected[places[index] || NO_POSITION_INDEX];
            return wanted[index] && part.query ? part.query(read, context, value) : value;
          }),
        );
        return () => {
          const then = contextOf(directory, user, settings);
          const state = {};
          // Each part returns its own fields of the contract. Together they are the whole state.
          for (const [index, part] of stateParts.entries()) {
            if (wanted[index]) Object.assign(state, part.build(then, values[index]));
          }
          return state as State;
        };
      },
    };
  };
  return { statement: writtenStatement(name, text, newQueue.values), resultOf };
}

/** An index that no list has. */
const NO_POSITION_INDEX = -1;

/** The user as of the directory's position, not as of the authentication of the request. */
function contextOf(directory: Directory, user: UserRecord, settings: QueueSettings): StateContext {
  return { directory, user: directory.user(user.id) ?? user, settings };
}
