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
export function hasStrangers(directory: Directory, { role }: Pick<UserRecord, 'role'>): boolean {
  return role === Role.guest && directory.hidesPeople;
}

/**
 * Whether the reader can access the person as of just after the event; without an event, now. Whether the reader was
 * restricted is not dated, because the reader's queues end when that changes (`AccessHistory.anewSince`).
 */
export function knows(directory: Directory, reader: Reader, person: Person, eventId = NOW): boolean {
  if (!hasStrangers(directory, reader) || person.isBot || person.id === reader.id) return true;
  const since = directory.acquaintances.of(reader.id).get(person.id);
  if (since !== undefined && since <= eventId) return true;
  if (!directory.history.wasActiveAfter(person, eventId)) return false;
  return directory.subscriptions.sharedAt(reader.id, person.id, eventId + 1);
}

/** The same by the person's id, which may be a system bot. An unknown id is inaccessible to restricted guests. */
export function knowsId(directory: Directory, reader: Reader, personId: number, eventId?: number): boolean {
  if (!hasStrangers(directory, reader)) return true;
  const person = directory.correspondent(personId);
  return person !== undefined && knows(directory, reader, person, eventId);
}

/**
 * The accounts that the reader can access; undefined means all. For callers that check many: it walks the reader's
 * channels once.
 */
export function knownTo(directory: Directory, reader: Reader): ReadonlySet<number> | undefined {
  if (!hasStrangers(directory, reader)) return undefined;
  const acquaintances = directory.acquaintances.of(reader.id);
  const known = new Set<number>(acquaintances.keys());
  known.add(reader.id);
  for (const channelId of directory.subscriptions.channelsOf(reader.id)) {
    for (const userId of directory.subscriptions.of(channelId).keys()) known.add(userId);
  }
  for (const user of directory.users.values()) {
    if (user.isBot) known.add(user.id);
    else if (!user.isActive && user.id !== reader.id && !acquaintances.has(user.id)) known.delete(user.id);
  }
  return known;
}
