import type { RawBuilder } from 'kysely';
import type { DbTransaction } from '../db/schema.ts';
import type { Directory } from '../directory/directory.ts';
import type { UserRecord } from '../directory/records.ts';
import type { QueueSettings } from '../log/queue.ts';

/**
 * The input of a part of the initial state: the directory, at the same position as one snapshot of the database (I7).
 */
export interface StateContext {
  readonly directory: Directory;
  readonly user: UserRecord;
  readonly settings: QueueSettings;
}

/** The same for spectators, who have no account and no events. */
export type SpectatorContext = Omit<StateContext, 'user'>;

/**
 * The user who registers, as parameters of the statement that reads all parts. So its text is the same for everyone.
 */
export interface StateReader {
  readonly organizationId: RawBuilder<number>;
  readonly userId: RawBuilder<number>;
}

/** Reads more from the snapshot of the state. */
export type ReadSnapshot = <Result>(act: (snapshot: DbTransaction) => Promise<Result>) => Promise<Result>;

/**
 * A feature's part of the response to `POST /register`. It has three steps: `select`, `query`, `build`. Most parts need
 * few of them.
 */
export interface StatePart<Selected = unknown, Rows = unknown> {
  /** The event types that select this part. It is included if the client fetches all of them. Empty: always. */
  readonly types: readonly string[];
  /** Another name that selects this part. */
  readonly alsoSelectedBy?: string;
  /**
   * An SQL query of one value (rows as `json_agg`). The queries of all parts are joined into one prepared statement,
   * and equal ones run once. So the text may depend on the reader only, and contain no other values.
   */
  select?(reader: StateReader): RawBuilder<Selected>;
  /**
   * Reads what depends on the result of `select`; `build` gets this result instead. The directory is at the snapshot's
   * position.
   */
  query?(read: ReadSnapshot, context: StateContext, selected: Selected): Promise<Rows> | Rows;
  /**
   * Builds the fields. It runs for all parts without a pause, with the directory at exactly the snapshot's position, so
   * it cannot be asynchronous.
   */
  build(context: StateContext, rows: Rows): object;
  /** The part for spectators. Without it they get no fields of the part. Personal fields are empty for them. */
  readonly spectators?: SpectatorPart;
}

/** A part for spectators. `query` reads the database if necessary; `build` is synchronous. */
export interface SpectatorPart<Rows = unknown> {
  query?(snapshot: DbTransaction, context: SpectatorContext): Promise<Rows>;
  build(context: SpectatorContext, rows: Rows): object;
}

/**
 * Whether a client that fetches these types gets the part.
 * @param types null for all
 */
export function isSelected(part: StatePart, types: readonly string[] | null): boolean {
  if (types === null || part.types.every((type) => types.includes(type))) return true;
  return part.alsoSelectedBy !== undefined && types.includes(part.alsoSelectedBy);
}

/** Hides the part's own types from the list of parts. */
export function statePart<Selected, Rows = Selected>(part: StatePart<Selected, Rows>): StatePart {
  return part as StatePart;
}

/** Hides the part's own type from the list of parts. */
export function spectatorPart<Rows>(part: SpectatorPart<Rows>): SpectatorPart {
  return part as SpectatorPart;
}

/** A part that is the same for everyone, including spectators. */
export function stateOfAll({
  types,
  build,
}: {
  readonly types: readonly string[];
  readonly build: (context: SpectatorContext) => object;
}): StatePart {
  return statePart({ types, build, spectators: { build } });
}
