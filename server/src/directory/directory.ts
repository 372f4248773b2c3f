import type { MutableDirectory } from './mutable-directory.ts';
import type { ReadOnly } from './read-only.ts';

type Indexes = 'contacts' | 'groups' | 'history' | 'subscriptions';

/** The state of one organization in memory, for readers. Loading and applying events change it (`MutableDirectory`). */
export interface Directory
  extends ReadOnly<Omit<MutableDirectory, Indexes | 'indexOf'>>,
    Readonly<{ [Name in Indexes]: ReadOnly<MutableDirectory[Name]> }> {}
