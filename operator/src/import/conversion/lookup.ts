/** Ids and texts of this server for the objects of another program. */
import type { Permission } from '@heddle/api/permissions.ts';
import type { GroupSetting } from '@heddle/server/directory/records.ts';
import type { ImportReport } from '../report.ts';
import type { ConvertedChannel, ConvertedUser } from './converted.ts';
import type { FoundEmoji } from './emoji.ts';
import type { KnownEmoji, NeutralGroupSetting, NeutralMessage } from './neutral.ts';

export interface Lookup {
  readonly report: ImportReport;
  readonly lastMessageId: number;
  user(key: string | undefined): ConvertedUser | undefined;
  channel(key: string | undefined): ConvertedChannel | undefined;
  group(key: string): number | undefined;
  /** The ids of those who have a permission. Undefined: the permission does not accept the value. */
  permission(permission: Permission, given: NeutralGroupSetting): GroupSetting | undefined;
  message(key: string): { readonly id: number; readonly channel: string | null } | undefined;
  /** All messages, in the order of their ids. */
  messages(): Iterable<NeutralMessage>;
  /** The topic of a message. */
  topicOf(key: string): string;
  /** By its name in the program, and what the program means by it. */
  emoji(name: string, known?: KnownEmoji): FoundEmoji | undefined;
  /** Secret bytes for an address. They stay the same when an import continues. */
  random(purpose: string): string;
  /** Converts the markup of the program. */
  markdown(text: string): string;
  /** A topic that is valid here. */
  topic(text: string): string;
  /** HTML of a message; of a description or a profile. */
  render(markdown: string): string;
  renderDescription(markdown: string): string;
}
