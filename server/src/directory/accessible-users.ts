/**
 * Which users a reader can access (public reference: "Configure whether guests can see all other users"). By default,
 * everybody can access everybody. An organization can restrict guests. A restricted guest can access bots, subscribers
 * of their own channels, and participants of their direct conversations. A deactivated user is accessible through
 * direct conversations only.
 */
import type { Directory } from './directory.ts';
import { Role, type UserRecord } from './records.ts';

type Reader = Pick<UserRecord, 'id' | 'role'>;
type Person = Pick<UserRecord, 'id' | 'isActive' | 'isBot'>;

/** Later than every event. */
const NOW = Number.MAX_SAFE_INTEGER - 1;

/** Whether some users may be inaccessible to the reader. If not, callers can skip every lookup. */
export function hasInaccessibleUsers(directory: Directory, { role }: Pick<UserRecord, 'role'>): boolean {
  return role === Role.guest && directory.hidesPeople;
}

/**
 * Whether the reader can access the person as of just after the event; without an event, now. Whether the reader was
 * restricted is not dated, because the reader's queues end when that changes (`AccessHistory.queuesResetAt`).
 */
export function canAccess(directory: Directory, reader: Reader, person: Person, eventId = NOW): boolean {
  if (!hasInaccessibleUsers(directory, reader) || person.isBot || person.id === reader.id) return true;
  const since = directory.contacts.of(reader.id).get(person.id);
  if (since !== undefined && since <= eventId) return true;
  if (!directory.history.wasActiveAfter(person, eventId)) return false;
  return directory.subscriptions.sharedAt(reader.id, person.id, eventId + 1);
}

/** The same by the person's id, which may be a system bot. An unknown id is inaccessible to restricted guests. */
export function canAccessId(directory: Directory, reader: Reader, personId: number, eventId?: number): boolean {
  if (!hasInaccessibleUsers(directory, reader)) return true;
  const person = directory.correspondent(personId);
  return person !== undefined && canAccess(directory, reader, person, eventId);
}

/**
 * The accounts that the reader can access; undefined means all. For callers that check many: it walks the reader's
 * channels once.
 */
export function accessibleTo(directory: Directory, reader: Reader): ReadonlySet<number> | undefined {
  if (!hasInaccessibleUsers(directory, reader)) return undefined;
  const contacts = directory.contacts.of(reader.id);
  const known = new Set<number>(contacts.keys());
  known.add(reader.id);
  for (const channelId of directory.subscriptions.channelsOf(reader.id)) {
    for (const userId of directory.subscriptions.of(channelId).keys()) known.add(userId);
  }
  for (const user of directory.users.values()) {
    if (user.isBot) known.add(user.id);
    else if (!user.isActive && user.id !== reader.id && !contacts.has(user.id)) known.delete(user.id);
  }
  return known;
}
