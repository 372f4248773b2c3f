/** The archive of another program, as the conversion reads it. */
import type { Readable } from 'node:stream';
import type { SystemGroup } from '@heddle/api/permissions.ts';
import type { LinkifierRecord } from '@heddle/server/directory/records.ts';
import type { SourceRow } from '../source.ts';
import type { Lookup } from './lookup.ts';
import type {
  DetailsOf,
  Ids,
  NeutralChannel,
  NeutralEmoji,
  NeutralFolder,
  NeutralGroup,
  NeutralMessage,
  NeutralSubscription,
  NeutralUpload,
  NeutralUser,
  References,
} from './neutral.ts';

/** Rows of a table that only some programs have, in the form of a data export. They are read in this order. */
export interface OtherTable {
  readonly table: string;
  readonly rows: (lookup: Lookup) => AsyncIterable<SourceRow> | Iterable<SourceRow>;
}

export interface NeutralArchive {
  readonly fingerprint: string;
  readonly name: string;
  readonly description: string;
  readonly users: readonly NeutralUser[];
  readonly channels: readonly NeutralChannel[];
  readonly groups: readonly NeutralGroup[];
  /** System groups by the keys that the archive gives them. */
  readonly systemGroups?: ReadonlyMap<string, SystemGroup>;
  readonly folders?: readonly NeutralFolder[];
  readonly emoji: readonly NeutralEmoji[];
  /** Patterns whose matches become links in messages. */
  readonly linkifiers?: readonly LinkifierRecord[];
  /** In the same order each time. */
  subscriptions(): Iterable<NeutralSubscription>;
  /** The times up to which users have read direct conversations. Everything else is read. */
  readDirect?(): Iterable<{ readonly participants: readonly string[]; readonly user: string; readonly at: number }>;
  /** Files that need no message. */
  uploads?(): Iterable<NeutralUpload>;
  /** In any order. They are read once. */
  messages(): AsyncIterable<NeutralMessage | DetailsOf>;
  /** More fields of the organization. */
  organization?(lookup: Lookup): Promise<SourceRow>;
  /** Tables that need users, groups and channels only, and tables that need messages. */
  readonly others?: { readonly beforeMessages: readonly OtherTable[]; readonly afterMessages: readonly OtherTable[] };
  /** The code of a Unicode emoji in our table, by its name in the program. Without it, the names are ours. */
  codeOfEmoji?(name: string): string | undefined;
  /** Converts the markup of a text, but for names of emoji. @param channel the key of its channel; null: a text outside channels. */
  markdown(text: string, references: References & Ids, channel: string | null): string;
  /** Undefined: the archive does not have the file. */
  bytesOf(path: string): number | undefined;
  open(path: string): Promise<Readable>;
}
