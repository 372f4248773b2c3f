import { badRequest, deactivatedUser } from '@heddle/api/errors.ts';
import { noSuchMessage, type SeenMessage, seeMessages } from '../../../access/message-door.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import type { GroupedKind, ItemResult, OptimisticChange, Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { Audience, NewEvent } from '../../../log/event.ts';
import type { HistoryRequest, MessageQueries } from '../history/queries.ts';
import { unreadDetails } from './details.ts';
import type { FlagsBody, UnreadDetail } from './events.ts';
import { applyMarks, type Mark, type Marked } from './marking.ts';

/** The flags that users can change. */
const OWN_BITS: ReadonlyMap<string, number> = new Map([
  ['starred', FlagBit.starred],
  ['collapsed', FlagBit.collapsed],
]);
/** The flags that result from what others do. */
const GIVEN = new Set([
  'mentioned',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
]);

/**
 * Messages per event and per commit. Several thousand would block the process, and then the database, so long that
 * others notice it. A client that scrolled through one page of history marks fewer.
 */
const MAX_MESSAGES_PER_EVENT = 1500;

/** Requests with more messages do not join a batch, so that others do not wait for them. */
const MAX_MESSAGES_IN_BATCH = 100;

export interface FlagChange {
  readonly flag: string;
  readonly op: 'add' | 'remove';
  readonly messageIds: readonly number[];
  /** Whether inaccessible messages make the request fail. Adding `read` always skips them. */
  readonly hidden: 'refuses' | 'passed over';
}

export interface FlagsChanged {
  readonly messageIds: readonly number[];
  /** Channels whose messages cannot become unread, because the user is not subscribed to them. */
  readonly ignoredChannels: readonly number[];
}

/**
 * Adds a flag to messages or removes it, for one user (public reference: "Update personal message flags"). The response
 * and the event leave out messages that have this state already. Adding `read` skips messages that the user cannot
 * read, because clients also mark messages that were deleted or moved a short time ago.
 *
 * Large requests are first checked completely, and then committed in parts, the oldest messages first. Messages that
 * became inaccessible between the two are skipped.
 * @throws ApiError for a flag that does not exist or cannot be changed, or for a message that the user cannot read
 */
export async function changeFlags(
  organization: Organization,
  caller: UserRecord,
  { flag, op, messageIds, hidden }: FlagChange,
): Promise<FlagsChanged> {
  checkFlag(flag);
  const bit = OWN_BITS.get(flag);
  const ids = [...new Set(messageIds)].sort((a, b) => a - b);
  const item = { userId: caller.id, name: flag, flag: bit === undefined ? 'read' : { bit }, op } as const;
  if (ids.length <= MAX_MESSAGES_PER_EVENT)
    return organization.inGroup(flagChanges, { ...item, messageIds: ids, hidden });
  const parts = inParts(ids);
  if (hidden === 'refuses' && !(flag === 'read' && op === 'add')) {
    for (const messageIds of parts) await checkSeen(organization, caller, messageIds);
  }
  const changed: FlagsChanged[] = [];
  for (const messageIds of parts) {
    changed.push(await organization.inGroup(flagChanges, { ...item, messageIds, hidden: 'passed over' }));
  }
  const ignoredChannels = new Set(changed.flatMap((part) => part.ignoredChannels));
  return {
    messageIds: changed.flatMap((part) => part.messageIds),
    ignoredChannels: [...ignoredChannels].sort((a, b) => a - b),
  };
}

function inParts(ids: readonly number[]): number[][] {
  const count = Math.ceil(ids.length / MAX_MESSAGES_PER_EVENT);
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * MAX_MESSAGES_PER_EVENT, (index + 1) * MAX_MESSAGES_PER_EVENT),
  );
}

/**
 * Marks the caller's unread messages within a narrow as read, the oldest first, up to `MAX_MESSAGES_PER_EVENT` messages per
 * commit.
 */
export async function markRead(
  organization: Organization,
  queries: MessageQueries,
  caller: UserRecord,
  narrow: HistoryRequest['narrow'],
): Promise<void> {
  const unread = [...narrow, { operator: 'is', operand: 'unread' }];
  const request = { before: 0, after: MAX_MESSAGES_PER_EVENT, includeAnchor: false, narrow: unread };
  for (let anchor = 0; ; ) {
    const { ids, foundNewest } = await queries.idsAround(organization, caller, { ...request, anchor });
    const last = ids.at(-1);
    if (last === undefined) return;
    await changeFlags(organization, caller, { flag: 'read', op: 'add', messageIds: ids, hidden: 'passed over' });
    if (foundNewest) return;
    anchor = last;
  }
}

/** @throws ApiError if one of them does not exist or the user cannot read it */
async function checkSeen(organization: Organization, caller: UserRecord, messageIds: readonly number[]): Promise<void> {
  await organization.read(caller, async ({ db, directory, caller: user }) => {
    const asked = messageIds.map((messageId) => ({ user, messageId }));
    if ((await seeMessages(db, directory, asked, 'look')).includes(undefined)) throw noSuchMessage();
  });
}

/** @throws ApiError for a flag that does not exist or cannot be changed */
export function checkFlag(flag: string): void {
  if (GIVEN.has(flag)) throw badRequest(`Flag not editable: '${flag}'`);
  if (!OWN_BITS.has(flag) && flag !== 'read') throw badRequest(`Invalid flag: '${flag}'`);
}

/** Notifies users that these messages are read for each of them; ids ascending. The caller writes this state. */
export function announceRead(
  change: OptimisticChange,
  userIds: readonly number[],
  messageIds: readonly number[],
): void {
  const body: FlagsBody = { op: 'add', flag: 'read', messageIds, details: null };
  change.append({ type: 'update_message_flags', audience: { to: 'users', users: userIds }, body });
}

/** Notifies a user that these messages are no longer starred; ids ascending. The caller writes this state. */
export function announceUnstarred({ append }: OptimisticChange, userId: number, messageIds: readonly number[]): void {
  const body: FlagsBody = { op: 'remove', flag: 'starred', messageIds, details: null };
  append({ type: 'update_message_flags', audience: { to: 'users', users: [userId] }, body });
}

/** The same as `announceRead` for an audience that is a rule over subscribers of a channel. */
export function announceReadTo(
  change: OptimisticChange,
  audience: Audience,
  channelId: number,
  messageIds: readonly number[],
): void {
  const body: FlagsBody = { op: 'add', flag: 'read', messageIds, details: null, channelId };
  change.append({ type: 'update_message_flags', audience, body });
}

/**
 * Notifies each of these users that messages are unread which moved to a channel of the user; ids ascending. Two
 * statements.
 */
export async function announceUnread(
  { db, directory, append }: OptimisticChange,
  unread: readonly { readonly userId: number; readonly messages: readonly SeenMessage[] }[],
): Promise<void> {
  const details = await unreadDetails(db, directory, unread);
  for (const [index, { userId, messages }] of unread.entries()) {
    const messageIds = messages.map(({ id }) => id);
    const body: FlagsBody = { op: 'remove', flag: 'read', messageIds, details: details[index] ?? [] };
    append({ type: 'update_message_flags', audience: { to: 'users', users: [userId] }, body });
  }
}

interface FlagItem extends Omit<Mark, 'user'> {
  readonly userId: number;
  /** The flag's name in the API. */
  readonly name: string;
}

/** Changes of several users in a constant number of statements. */
const flagChanges: GroupedKind<FlagItem, FlagsChanged> = {
  name: 'flags',
  isLarge: ({ messageIds }) => messageIds.length > MAX_MESSAGES_IN_BATCH,
  write,
};

async function write(
  { db, directory }: Pick<OptimisticChange, 'db' | 'directory'>,
  items: readonly FlagItem[],
): Promise<readonly ItemResult<FlagsChanged>[]> {
  const able = items.flatMap((item) => {
    const user = directory.user(item.userId);
    return user?.isActive ? [{ item, mark: { ...item, user } }] : [];
  });
  const marked = await applyMarks(
    db,
    directory,
    able.map(({ mark }) => mark),
  );
  const details = await unreadDetails(
    db,
    directory,
    able.map(({ item }, index) => ({
      userId: item.userId,
      messages: item.flag === 'read' && item.op === 'remove' ? (marked[index]?.messages ?? []) : [],
    })),
  );
  const done = new Map(
    able.map(({ item }, index) => [item, itemResultOf(item, marked[index], details[index] ?? [])] as const),
  );
  return items.map((item) => done.get(item) ?? { error: deactivatedUser() });
}

function itemResultOf(
  { userId, name: flag, op }: FlagItem,
  marked: Marked | undefined,
  details: readonly UnreadDetail[],
): ItemResult<FlagsChanged> {
  if (marked === undefined) return { error: noSuchMessage() };
  const { messages, ignoredChannels } = marked;
  const messageIds = messages.map(({ id }) => id);
  const result = { messageIds, ignoredChannels };
  const body: FlagsBody = { op, flag, messageIds, details: flag === 'read' && op === 'remove' ? details : null };
  const event: NewEvent = { type: 'update_message_flags', audience: { to: 'users', users: [userId] }, body };
  return { result, events: messageIds.length === 0 ? [] : [event] };
}
