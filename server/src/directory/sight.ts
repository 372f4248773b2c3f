/**
 * Who may know whom (public reference: "Configure whether guests can see all other users"). Everybody knows everybody, unless the
 * organization hides people from guests: then a guest knows bots, who is subscribed to a channel with them, and with whom they have a
 * direct conversation. Who is deactivated is known from conversations alone.
 */
import type { Directory } from './directory.ts';
import { Role, type UserRecord } from './records.ts';

type Reader = Pick<UserRecord, 'id' | 'role'>;
type Person = Pick<UserRecord, 'id' | 'isActive' | 'isBot'>;

/** After every event that there is. */
const NOW = Number.MAX_SAFE_INTEGER - 1;

/** Whether there may be people whom the reader does not know. Nothing of a directory has to be looked up where this is false. */
export function hasStrangers(directory: Directory, { role }: Pick<UserRecord, 'role'>): boolean {
  return role === Role.guest && directory.hidesPeople;
}

/**
 * Whether the reader may know the person, as the event left it; without one, as it is. Whether the reader's sight was restricted is not
 * dated: with that their queues end (`AccessHistory.anewSince`).
 */
export function knows(directory: Directory, reader: Reader, person: Person, eventId = NOW): boolean {
  if (!hasStrangers(directory, reader) || person.isBot || person.id === reader.id) return true;
  const since = directory.acquaintances.of(reader.id).get(person.id);
  if (since !== undefined && since <= eventId) return true;
  if (!directory.history.wasActiveAfter(person, eventId)) return false;
  return directory.subscriptions.sharedAt(reader.id, person.id, eventId + 1);
}

/** The same by the person's id: also one of the server's own bots; nobody knows who is not there. */
export function knowsId(directory: Directory, reader: Reader, personId: number, eventId?: number): boolean {
  if (!hasStrangers(directory, reader)) return true;
  const person = directory.correspondent(personId);
  return person !== undefined && knows(directory, reader, person, eventId);
}

/**
 * Of the organization's accounts those whom the reader may know; undefined: everybody. For whoever asks about many: it walks the
 * reader's channels once.
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
