import type { RawBuilder } from 'kysely';
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

/** The same for spectators, who have no account and get no events. */
export type SpectatorContext = Omit<StateContext, 'user'>;

/** Who registers, as the statement that asks for all parts has them: its text is the same for everybody. */
export interface StateReader {
  readonly organizationId: RawBuilder<number>;
  readonly userId: RawBuilder<number>;
}

/** Reads more of the database as it was at the position that the state is true for. */
export type ReadSnapshot = <Result>(act: (snapshot: DbTransaction) => Promise<Result>) => Promise<Result>;

/**
 * A feature's part of what `POST /register` answers, made in three steps, of which most parts need few: `select`, `query`, `build`.
 */
export interface StatePart<Selected = unknown, Rows = unknown> {
  /** The event types that select this part; it is built when all of them are fetched. Empty: always. */
  readonly types: readonly string[];
  /** Another name by which clients fetch it. */
  readonly alsoSelectedBy?: string;
  /**
   * What it wants to know of the snapshot, as an SQL query of one value (rows as `json_agg`). Those of all parts go into one prepared
   * statement, and equal ones are asked once: the text may depend on nothing but the reader, and has no values of its own.
   */
  select?(reader: StateReader): RawBuilder<Selected>;
  /** What cannot be asked before that is known; `build` gets it instead. The directory is at the snapshot's position. */
  query?(read: ReadSnapshot, context: StateContext, selected: Selected): Promise<Rows> | Rows;
  /** Runs afterwards, in one go for all parts, with the directory at exactly the snapshot's position, and must not wait. */
  build(context: StateContext, rows: Rows): object;
  /** The same for spectators. They are told nothing of a part without it; what is anybody's own is empty for them. */
  readonly spectators?: SpectatorPart;
}

/** A part as spectators get it: `query` asks the database, where it must be asked, and `build` does not wait. */
export interface SpectatorPart<Rows = unknown> {
  query?(snapshot: DbTransaction, context: SpectatorContext): Promise<Rows>;
  build(context: SpectatorContext, rows: Rows): object;
}

/**
 * Whether who fetches these types gets the part.
 * @param types null for all
 */
export function isSelected(part: StatePart, types: readonly string[] | null): boolean {
  if (types === null || part.types.every((type) => types.includes(type))) return true;
  return part.alsoSelectedBy !== undefined && types.includes(part.alsoSelectedBy);
}

/** Keeps a part's own types to itself. */
export function statePart<Selected, Rows = Selected>(part: StatePart<Selected, Rows>): StatePart {
  return part as StatePart;
}

/** Keeps the part's own type to itself. */
export function spectatorPart<Rows>(part: SpectatorPart<Rows>): SpectatorPart {
  return part as SpectatorPart;
}

/** A part that is the same for everybody, spectators too. */
export function stateOfAll({
  types,
  build,
}: {
  readonly types: readonly string[];
  readonly build: (context: SpectatorContext) => object;
}): StatePart {
  return statePart({ types, build, spectators: { build } });
}
