import { type SeenMessage, seeMessages } from '../../../access/message-door.ts';
import { FlagBit, READING_BITS } from '../../../db/flag-bits.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import { lockUsers } from '../../../db/user-locks.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import {
  type FlagRow,
  holdMessages,
  lastReadIds,
  type Membership,
  type Raise,
  raiseWatermarks,
  writeFlags,
} from './rows.ts';

/**
 * A user's read state is sparse (README.md): each membership has a last read id (`read_through`), and `message_flags`
 * has the exceptions. Changes are applied in memory to the present state of the messages. Then the last read ids move
 * up as far as possible, and only the differences become rows.
 *
 * Example: Ada's last read id in a channel is 100, and messages 101 to 105 follow. She marks 101, 102 and 104 as read.
 * The last read id becomes 102, and 104 gets a row with `read`. Then she marks 103. The last read id becomes 104, because
 * 105 is still unread, and the row of 104 is deleted.
 */

/** A change of one flag by one user; ids ascending, each once. */
export interface Mark {
  readonly user: UserRecord;
  readonly flag: 'read' | { readonly bit: number };
  readonly op: 'add' | 'remove';
  readonly messageIds: readonly number[];
  /** Whether inaccessible messages make the mark fail. Adding `read` always skips them. */
  readonly hidden: 'refuses' | 'passed over';
}

export interface Marked {
  /** The messages whose state changed; ascending. */
  readonly messages: readonly SeenMessage[];
  /** Channels whose messages cannot become unread, because the user is not subscribed to them; ascending. */
  readonly ignoredChannels: readonly number[];
}

/** A message for its user, with the state after the marks. */
interface Entry {
  readonly userId: number;
  readonly message: SeenMessage;
  isUnread: boolean;
  otherBits: number;
}

/**
 * Applies the marks in order, for any number of users in a constant number of statements. A mark that fails because of
 * inaccessible messages is undefined in the result and changes nothing.
 */
export async function applyMarks(
  db: DbTransaction,
  directory: Directory,
  marks: readonly Mark[],
): Promise<readonly (Marked | undefined)[]> {
  const organizationId = directory.organization.id;
  const userIds = marks.map(({ user }) => user.id);
  const held = marks.filter(saysSomething).flatMap(({ messageIds }) => messageIds);
  // Sent together. The first statements acquire the locks, so the others read the final state.
  const [, , entries] = await Promise.all([
    lockUsers(db, organizationId, userIds),
    held.length > 0 && holdMessages(db, organizationId, ascending(held)),
    look(db, directory, marks),
  ]);
  const marked = marks.map((mark) => apply(mark, entries.get(mark.user.id) ?? new Map()));
  const changed: Entry[] = [];
  for (const ofUser of entries.values())
    for (const entry of ofUser.values()) if (hasChanged(entry)) changed.push(entry);

  const raises = await plannedRaises(db, organizationId, changed);
  const rows = changed.flatMap((entry) => rowOf(entry, raises) ?? []);
  await writeFlags(db, organizationId, rows);
  await raiseWatermarks(db, organizationId, [...raises.values()]);
  return marked;
}

/**
 * Whether clients store what the mark's event contains. Then the event must not follow the deletion or move of the
 * messages. When clients only remove state, the order does not matter.
 */
function saysSomething({ flag, op }: Mark): boolean {
  return (flag === 'read') === (op === 'remove');
}

function ascending(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** What the users can see of all messages that the marks name, by user and id. */
async function look(db: DbTransaction, directory: Directory, marks: readonly Mark[]) {
  const asked = new Map<number, { user: UserRecord; ids: Set<number> }>();
  for (const { user, messageIds } of marks) {
    const ofUser = asked.get(user.id) ?? { user, ids: new Set<number>() };
    asked.set(user.id, ofUser);
    for (const id of messageIds) ofUser.ids.add(id);
  }
  const pairs = [...asked.values()].flatMap(({ user, ids }) => [...ids].map((messageId) => ({ user, messageId })));
  const seen = await seeMessages(db, directory, pairs, 'look');
  const entries = new Map<number, Map<number, Entry>>();
  pairs.forEach(({ user, messageId }, place) => {
    const message = seen[place];
    if (message === undefined) return;
    const ofUser = entries.get(user.id) ?? new Map<number, Entry>();
    entries.set(user.id, ofUser);
    const otherBits = message.bits & ~READING_BITS;
    ofUser.set(messageId, { userId: user.id, message, isUnread: message.isUnread, otherBits });
  });
  return entries;
}

function apply({ flag, op, messageIds, hidden }: Mark, entries: ReadonlyMap<number, Entry>): Marked | undefined {
  const passesOver = hidden === 'passed over' || (flag === 'read' && op === 'add');
  if (!passesOver && messageIds.some((id) => !entries.has(id))) return undefined;
  const messages: SeenMessage[] = [];
  const ignored = new Set<number>();
  for (const id of messageIds) {
    const entry = entries.get(id);
    if (entry === undefined) continue;
    const { message } = entry;
    if (flag !== 'read') {
      if (((entry.otherBits & flag.bit) !== 0) === (op === 'add')) continue;
      entry.otherBits ^= flag.bit;
    } else {
      if (message.lastReadId === null) {
        if (op === 'remove' && message.channelId !== null) ignored.add(message.channelId);
        continue;
      }
      if (entry.isUnread === (op === 'remove')) continue;
      entry.isUnread = op === 'remove';
    }
    messages.push(message);
  }
  return { messages, ignoredChannels: [...ignored].sort((a, b) => a - b) };
}

function hasChanged({ message, isUnread, otherBits }: Entry): boolean {
  return isUnread !== message.isUnread || otherBits !== (message.bits & ~READING_BITS);
}

/** By the key of the membership. */
type Raises = ReadonlyMap<string, Raise>;

function keyOf(userId: number, { channelId, conversationId }: SeenMessage): string {
  return `${userId}/${channelId}/${conversationId}`;
}

/** How far the last read ids can move with the messages that become read: up to the first message that stays unread. */
async function plannedRaises(db: DbTransaction, organizationId: number, changed: readonly Entry[]): Promise<Raises> {
  const read = new Map<string, { membership: Membership; ids: Set<number> }>();
  for (const { userId, message, isUnread } of changed) {
    const { id, channelId, conversationId, lastReadId, wasMoved } = message;
    if (isUnread || !message.isUnread || wasMoved || lastReadId === null || id <= lastReadId) continue;
    const key = keyOf(userId, message);
    const known = read.get(key) ?? { membership: { userId, channelId, conversationId }, ids: new Set<number>() };
    read.set(key, known);
    known.ids.add(id);
  }
  const asked = [...read];
  const found = await lastReadIds(
    db,
    organizationId,
    asked.map(([, { membership, ids }]) => ({ ...membership, justRead: ids })),
  );
  return new Map(
    asked.flatMap(([key, { membership, ids }], place) => {
      const through = found[place];
      return through === undefined ? [] : [[key, { ...membership, through, justRead: ids }]];
    }),
  );
}

/**
 * The row that expresses what the last read id does not; undefined if it exists already. A moved message always has one
 * once it was marked.
 */
function rowOf({ userId, message, isUnread, otherBits }: Entry, raises: Raises): FlagRow | undefined {
  const lastReadId = raises.get(keyOf(userId, message))?.through ?? message.lastReadId;
  const isUntouched = message.wasMoved && isUnread === message.isUnread;
  const flags = otherBits | (isUntouched ? message.bits & READING_BITS : readingBits(message, isUnread, lastReadId));
  return flags === message.bits ? undefined : { userId, messageId: message.id, flags };
}

function readingBits({ id, wasMoved }: SeenMessage, isUnread: boolean, lastReadId: number | null): number {
  if (lastReadId === null) return 0;
  if (isUnread) return wasMoved || id <= lastReadId ? FlagBit.unread : 0;
  return wasMoved || id > lastReadId ? FlagBit.read : 0;
}
