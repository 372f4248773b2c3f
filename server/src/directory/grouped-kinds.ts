import type { OrdinaryLogChange } from '../log/change.ts';
import type { LogEntry } from '../log/entry.ts';
import type { NewEvent } from '../log/event.ts';
import type { Outcome } from '../log/group-commit.ts';
import type { Directory } from './directory.ts';

/** The optimistic transaction of a batch. */
interface BatchChange extends OrdinaryLogChange {
  readonly directory: Directory;
}

/** The result of one item of a batch, with what it appends, or the error that refuses this item only. */
export type Verdict<Result> =
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
  write(change: Pick<BatchChange, 'db' | 'directory'>, items: readonly Item[]): Promise<readonly Verdict<Result>[]>;
}

/** One item of a batch, with its kind. */
export interface Member {
  readonly kind: GroupedKind<unknown, unknown>;
  readonly item: unknown;
}

/** Writes the items kind by kind, and appends their events in order of arrival. */
export async function writeGroup(change: BatchChange, members: readonly Member[]): Promise<Outcome<unknown>[]> {
  const verdicts = new Map<Member, Verdict<unknown>>();
  const byKind = [...Map.groupBy(members, ({ kind }) => kind)].sort(([a], [b]) => (a.name < b.name ? -1 : 1));
  for (const [kind, ofKind] of byKind) {
    const found = await kind.write(
      change,
      ofKind.map(({ item }) => item),
    );
    for (const [index, member] of ofKind.entries()) {
      const verdict = found[index];
      if (verdict !== undefined) verdicts.set(member, verdict);
    }
  }
  return members.map((member) => {
    const verdict = verdicts.get(member);
    if (verdict === undefined) throw new Error(`${member.kind.name} returned too few results for its items`);
    if ('error' in verdict) return verdict;
    for (const event of verdict.events) change.append(event);
    verdict.write?.(change.entry);
    return { result: verdict.result };
  });
}
