import type { OpenCommit, OptimisticLogChange } from '../log/change.ts';
import type { LogEntry } from '../log/entry.ts';
import type { NewEvent } from '../log/event.ts';
import type { Outcome } from '../log/group-commit.ts';
import type { Directory } from './directory.ts';

/** The optimistic transaction of a batch. */
interface BatchChange extends OptimisticLogChange {
  readonly directory: Directory;
}

/** The result of one item of a batch, with what it appends, or the error that refuses this item only. */
export type ItemResult<Result> =
  | {
      readonly result: Result;
      readonly events: readonly NewEvent[];
      /** Adds what follows the events: messages, for example. */
      readonly write?: (entry: LogEntry) => void;
    }
  | { readonly error: unknown };

/** A frequent kind of optimistic transaction. Items that arrive together are written and committed as a batch. */
export interface GroupedKind<Item, Result> {
  /** A batch writes its kinds in the order of their names, so that two batches lock rows in the same order. */
  readonly name: string;
  /** Whether the item is so large that it would delay the batch. Large items are written alone. */
  isLarge?(item: Item): boolean;
  /**
   * Checks and writes all items in a few statements, and locks rows in a fixed order. Returns one result per item, in
   * order. Must write nothing for a refused item. May run again for the same items after a rollback.
   */
  write(change: Pick<BatchChange, 'db' | 'directory'>, items: readonly Item[]): Promise<readonly ItemResult<Result>[]>;
}

/**
 * A frequent kind that only appends, such as sent messages. A batch of it is one statement. It runs right after an
 * exclusive transaction of this process instead of conflicting with it.
 */
export interface AppendedKind<Item, Result> {
  /** The weight of an item, in characters; see `GroupCommitOptions`. */
  weightOf(item: Item): number;
  /**
   * Checks an item. Called for each attempt, and also shortly before an exclusive attempt acquires the organization
   * lock. So it keeps what is slow to compute until the directory changes.
   */
  resultFor(item: Item, directory: Directory): ItemResult<Result>;
}

/** One item of a batch, with its kind. */
export interface Member<Kind = GroupedKind<unknown, unknown>> {
  readonly kind: Kind;
  readonly item: unknown;
}

/** Writes the items kind by kind, and appends their events in order of arrival. */
export async function writeGroup(change: BatchChange, members: readonly Member[]): Promise<Outcome<unknown>[]> {
  const itemResults = new Map<Member, ItemResult<unknown>>();
  const byKind = [...Map.groupBy(members, ({ kind }) => kind)].sort(([a], [b]) => (a.name < b.name ? -1 : 1));
  for (const [kind, ofKind] of byKind) {
    const found = await kind.write(
      change,
      ofKind.map(({ item }) => item),
    );
    for (const [index, member] of ofKind.entries()) {
      const itemResult = found[index];
      if (itemResult !== undefined) itemResults.set(member, itemResult);
    }
  }
  return members.map((member) => {
    const itemResult = itemResults.get(member);
    if (itemResult === undefined) throw new Error(`${member.kind.name} returned too few results for its items`);
    return appendResult(itemResult, change);
  });
}

export type AppendedMember = Member<AppendedKind<unknown, unknown>>;

/** Appends the items in order of arrival. */
export function appendGroup(
  commit: OpenCommit,
  directory: Directory,
  members: readonly AppendedMember[],
): Outcome<unknown>[] {
  return members.map(({ kind, item }) => appendResult(kind.resultFor(item, directory), commit));
}

/** Appends what belongs to a itemResult. */
export function appendResult<Result>(itemResult: ItemResult<Result>, commit: OpenCommit): Outcome<Result> {
  if ('error' in itemResult) return itemResult;
  for (const event of itemResult.events) commit.append(event);
  itemResult.write?.(commit.entry);
  return { result: itemResult.result };
}
