import type { Answer } from '@heddle/api/contract.ts';
import type { registerQueue } from '@heddle/api/endpoints/events.ts';
import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { ranOutOfTime } from '../../db/failures.ts';
import { writtenStatement } from '../../db/prepared.ts';
import { inSnapshot, readSnapshot, write } from '../../db/transaction.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Queue, QueueSettings } from '../../log/queue.ts';
import type { QueueStore } from '../../log/queue-store.ts';
import { type LogPosition, readPosition } from '../../log/read.ts';
import { isSelected, type ReadSnapshot, type StateContext, type StatePart } from '../initial-state.ts';
import { type SelectedRow, selectionOf } from './selection.ts';

export interface Registration {
  readonly pool: pg.Pool;
  readonly queues: QueueStore;
  readonly organization: Organization;
  readonly user: UserRecord;
  readonly client: string;
  readonly settings: QueueSettings;
  /** The event types whose state is wanted; null for all. */
  readonly types: readonly string[] | null;
  readonly stateParts: readonly StatePart[];
}

/** The answer of `POST /register` but for the queue. */
export type State = Omit<Answer<typeof registerQueue>, 'queue_id' | 'last_event_id'>;

export interface Registered {
  /** It begins at the log's position that the state is true for. */
  readonly queue: Queue;
  readonly state: State;
}

/** How often to hope that nothing changes the directory meanwhile, before the log is locked. */
const ATTEMPTS = 3;

/**
 * A new queue, and the initial state at the position of the log that it begins at (I7). Mostly one statement adds the queue and asks what
 * the state wants of the database; the rest is from the directory once it has reached the statement's position and if nothing has changed
 * it since. What that statement does not answer is asked in a snapshot of the same position. Where others write too fast for that, all
 * of it is one snapshot, and where they change the directory too fast for that the log is locked meanwhile.
 */
export async function register(registration: Registration): Promise<Registered> {
  const { organization } = registration;
  if (!isBusy(organization)) {
    const registered = await registerAtOnce(registration);
    if (registered !== undefined) return registered;
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const registered = await registerInSnapshot(registration);
    if (registered !== undefined) return registered;
  }
  return registerWithLog(registration);
}

/** When a registration was overtaken the last time, by the clock of `performance`. */
const overtaken = new WeakMap<Organization, number>();

/** For so long, in milliseconds, others begin with the snapshot: what was added at another position must be taken back. */
const BUSY = 1000;

function isBusy(organization: Organization): boolean {
  return performance.now() - (overtaken.get(organization) ?? -BUSY) < BUSY;
}

/** The position that something was to be true for is no more. */
class OvertakenError extends Error {
  override readonly name: string = 'OvertakenError';
}

function undefinedIfOvertaken(error: unknown): undefined {
  if (!(error instanceof OvertakenError)) throw error;
}

/** The statement is its own transaction and its own snapshot: mostly all that is asked of the database, in one exchange. */
async function registerAtOnce(registration: Registration): Promise<Registered | undefined> {
  const { pool, organization, queues } = registration;
  const { statement, begin } = beginning(registration);
  const written = await write(pool, statement).catch((error: unknown) => {
    // A snapshot has more time.
    if (ranOutOfTime(error)) return undefined;
    throw error;
  });
  if (written === undefined) return undefined;
  const begun = begin(written.rows);
  const { head } = begun.position;
  const stating = stateAt(organization, head, () =>
    begun.complete((act) =>
      readSnapshot(pool, async (snapshot) => {
        // Every change moves the head: what another snapshot with the same one shows is the same.
        const [position, result] = await Promise.all([readPosition(snapshot, organization.id), act(snapshot)]);
        if (position.head !== head) throw new OvertakenError('the log has gone on');
        return result;
      }),
    ),
  ).catch((error: unknown) => {
    // Here, too, a snapshot has more time.
    if (ranOutOfTime(error)) return undefined;
    undefinedIfOvertaken(error);
    overtaken.set(organization, performance.now());
  });
  // Should nothing be committed, nobody asks for the state.
  stating.catch(() => undefined);
  await written.committed;
  const queue = await begun.added();
  return withState(queues, queue, stating);
}

/** With everything in one snapshot, however the log goes on; only the directory must not. */
async function registerInSnapshot(registration: Registration): Promise<Registered | undefined> {
  const { pool, organization, queues } = registration;
  const { directory } = organization;
  const added = await inSnapshot(pool, async (snapshot) => {
    const { statement, begin } = beginning(registration);
    const begun = begin((await snapshot.executeQuery(statement)).rows);
    const { head, directoryHead } = begun.position;
    if (directory.changedAt < directoryHead) await organization.catchUpWith(snapshot);
    if (directory.changedAt > head) throw new OvertakenError('the directory has changed');
    const build = await begun.complete((act) => act(snapshot));
    let state: State | undefined;
    return {
      meanwhile() {
        if (organization.position >= head && directory.changedAt <= head) state = build();
      },
      result: () => ({ begun, head, build, state }),
    };
  }).catch(undefinedIfOvertaken);
  if (added === undefined) return undefined;
  const { begun, head, build } = added;
  const queue = await begun.added();
  if (added.state !== undefined) return { queue, state: added.state };
  return withState(queues, queue, stateAt(organization, head, () => build).catch(undefinedIfOvertaken));
}

/** The queue is of use to nobody without its state: where there is none, or none can be had, it is taken back. */
async function withState(
  queues: QueueStore,
  queue: Queue,
  stating: Promise<State | undefined>,
): Promise<Registered | undefined> {
  let state: State | undefined;
  try {
    state = await stating;
  } catch (error) {
    await queues.remove(queue).catch(() => undefined);
    throw error;
  }
  if (state !== undefined) return { queue, state };
  await queues.remove(queue);
  return undefined;
}

/** With the log's lock, so that nothing can change: always succeeds, and holds up the organization for as long as its queries take. */
async function registerWithLog(registration: Registration): Promise<Registered> {
  const { organization } = registration;
  const { begun, state } = await organization.change(async ({ db }) => {
    const { statement, begin } = beginning(registration);
    const begun = begin((await db.executeQuery(statement)).rows);
    const build = await begun.complete((act) => act(db));
    return { begun, state: build() };
  });
  // Not before it is durable: a client must not go on from a position that could be lost.
  await organization.reached(begun.position.head);
  return { queue: await begun.added(), state };
}

/**
 * The state once the directory is at the position.
 * @throws OvertakenError the directory has changed since
 */
async function stateAt(
  organization: Organization,
  head: number,
  complete: () => Build | Promise<Build>,
): Promise<State> {
  const { directory } = organization;
  const check = () => {
    if (directory.changedAt > head) throw new OvertakenError('the directory has changed');
  };
  await organization.reached(head);
  check();
  const build = await complete();
  check();
  return build();
}

type Build = () => State;

/** A queue that a statement has added, and what that one has selected. */
interface Begun {
  readonly position: LogPosition;
  /** To be called after the commit. */
  added(): Promise<Queue>;
  /** Asks what could not be asked at once, with the directory at the position. It must still be there when the state is built. */
  complete(read: ReadSnapshot): Promise<Build>;
}

interface Beginning {
  readonly statement: CompiledQuery<SelectedRow>;
  begin(rows: readonly SelectedRow[]): Begun;
}

function beginning({ queues, organization, user, client, settings, types, stateParts }: Registration): Beginning {
  const wanted = stateParts.map((part) => isSelected(part, types));
  const { name, text, places } = selectionOf(stateParts, wanted);
  const { id: organizationId, epoch, directory } = organization;
  const adding = queues.adding({ organizationId, userId: user.id, client, epoch, settings });
  const begin = ([row]: readonly SelectedRow[]): Begun => {
    if (row === undefined) throw new Error(`organization ${organizationId} has no log`);
    const { selected, others } = row;
    const [position] = selected;
    return {
      position,
      added: () => adding.added(position.head, others),
      async complete(read) {
        const context = contextOf(directory, user, settings);
        const values = await Promise.all(
          stateParts.map((part, index) => {
            const value = selected[places[index] || NOWHERE];
            return wanted[index] && part.query ? part.query(read, context, value) : value;
          }),
        );
        return () => {
          const then = contextOf(directory, user, settings);
          const state = {};
          // Each part answers with its own fields of the contract; together they are the whole.
          for (const [index, part] of stateParts.entries()) {
            if (wanted[index]) Object.assign(state, part.build(then, values[index]));
          }
          return state as State;
        };
      },
    };
  };
  return { statement: writtenStatement(name, text, adding.values), begin };
}

/** No place of a list. */
const NOWHERE = -1;

/** The user as of the directory's position, not of when the request was authenticated. */
function contextOf(directory: Directory, user: UserRecord, settings: QueueSettings): StateContext {
  return { directory, user: directory.user(user.id) ?? user, settings };
}
