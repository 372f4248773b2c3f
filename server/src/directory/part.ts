import type { DbTransaction } from '../db/schema.ts';
import type { Aspect } from './aspects.ts';
import type { PartDelta } from './state-deltas.ts';

/**
 * State of a feature in the directory: an index that is loaded with the directory, and changed by the feature's state
 * deltas. Applying the deltas must give the same index as loading it again; a property test compares both.
 *
 * Example: `domain/texts/alert-words/alert-words.ts`. Readers call `directory.part(alertWordsPart)`.
 */
export interface DirectoryPart<Index, Delta extends PartDelta> {
  /** The version that its deltas increase (`Directory.version`). */
  readonly aspect: Aspect;
  /** The kinds of its deltas. Unique among all parts. */
  readonly deltas: readonly Delta['delta'][];
  /** Returns an empty index. */
  create(): Index;
  /** Adds all rows of the organization to an empty index. One organization can have very many: read them in pages. */
  load(index: Index, snapshot: DbTransaction, organizationId: number): Promise<void>;
  apply(index: Index, delta: Delta): void;
  /** The user whose record object is replaced, because cached values that belong to the record depend on the delta. */
  renews?(delta: Delta): number | undefined;
  /** The whole content of the index in a fixed order, to compare two indexes. */
  contents(index: Index): unknown;
}

export type AnyPart = DirectoryPart<unknown, PartDelta>;
