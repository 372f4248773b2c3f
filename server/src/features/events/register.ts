import type { Answer } from '@heddle/api/contract.ts';
import type { registerQueue } from '@heddle/api/endpoints/events.ts';
import type pg from 'pg';
import type { DbTransaction } from '../../db/schema.ts';
import { type Ending, inSnapshot } from '../../db/transaction.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Queue, QueueSettings } from '../../log/queue.ts';
import type { QueueStore } from '../../log/queue-store.ts';
import type { LogPosition } from '../../log/read.ts';
import { isSelected, type StateContext, type StatePart } from '../initial-state.ts';
import { select } from './selection.ts';

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
const ATTEMPTS = 4;

/**
 * A new queue, and the initial state at the position of the log that it begins at (I7): the database's part from one snapshot, the rest
 * from the directory once it has reached the snapshot's position and if nothing has changed it since. Where changes come too fast for that,
 * the log is locked meanwhile.
 */
export async function register(registration: Registration): Promise<Registered> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const registered = await registerWithDirectory(registration);
    if (registered !== undefined) return registered;
  }
  return registerWithLog(registration);
}

/** With the log's lock, so that nothing can change: always succeeds, and holds up the organization for as long as its queries take. */
async function registerWithLog(registration: Registration): Promise<Registered> {
  const { organization, queues } = registration;
  const { state, start } = await organization.change(async ({ db, directory, position }) => {
    const { build } = await ask(db, registration, directory);
    return { state: build(directory), start: position.head };
  });
  // Not before it is durable: a client must not go on from a position that could be lost.
  await organization.reached(start);
  return { queue: await queues.create(newQueue(registration, start)), state };
}

/**
 * Mostly the directory is where the snapshot is. Then there are two exchanges with the database: the queries, and the queue with the commit;
 * the state is put together during the second.
 */
async function registerWithDirectory(registration: Registration): Promise<Registered | undefined> {
  const { pool, organization, queues } = registration;
  const { directory } = organization;
  const added = await inSnapshot(pool, async (snapshot): Promise<Ending<Added | undefined>> => {
    const known = directory.changedAt;
    let asked = await ask(snapshot, registration, directory);
    const { head, directoryHead } = asked.position;
    if (directoryHead !== known || directory.changedAt !== known) {
      // Another process may have changed what the queries ask the directory for.
      await organization.catchUpWith(snapshot);
      if (directory.changedAt > head) return { result: () => undefined };
      asked = await ask(snapshot, registration, directory);
    }
    const { build } = asked;
    const adding = queues.adding(newQueue(registration, head));
    let state: State | undefined;
    return {
      statement: adding.statement,
      meanwhile() {
        if (organization.position >= head && directory.changedAt <= head) state = build(directory);
      },
      result: (rows) => ({ queue: adding.added(rows), head, state, build }),
    };
  });
  if (added === undefined) return undefined;
  const { head, state, build } = added;
  const queue = await added.queue;
  await organization.reached(head);
  if (state !== undefined) return { queue, state };
  if (directory.changedAt <= head) return { queue, state: build(directory) };
  await queues.remove(queue);
  return undefined;
}

/** What a transaction came to. */
interface Added {
  readonly queue: Promise<Queue>;
  readonly head: number;
  /** Undefined where the directory had not reached the position yet. */
  readonly state: State | undefined;
  readonly build: (directory: Directory) => State;
}

function newQueue({ organization, user, client, settings }: Registration, start: number) {
  return { organizationId: organization.id, userId: user.id, client, epoch: organization.epoch, settings, start };
}

interface Asked {
  readonly position: LogPosition;
  readonly build: (directory: Directory) => State;
}

/** Asks for the parts that are wanted; returns what builds them. */
async function ask(
  snapshot: DbTransaction,
  { user, settings, types, stateParts }: Registration,
  directory: Directory,
): Promise<Asked> {
  const wanted = stateParts.map((part) => isSelected(part, types));
  const context = { directory, user, settings };
  const { position, values } = await select(snapshot, stateParts, wanted, context);
  const rows = await Promise.all(
    stateParts.map((part, index) =>
      wanted[index] && part.query ? part.query(snapshot, context, values[index]) : values[index],
    ),
  );
  return {
    position,
    build(reached) {
      // The user as of the position, not of when the request was authenticated.
      const then: StateContext = { directory: reached, user: reached.user(user.id) ?? user, settings };
      // Each part answers with its own fields of the contract; together they are the whole.
      return Object.assign({}, ...stateParts.map((part, index) => wanted[index] && part.build(then, rows[index])));
    },
  };
}
