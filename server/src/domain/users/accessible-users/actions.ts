/**
 * Announces users who become accessible or inaccessible to guests, in organizations that hide people from guests
 * (`directory/accessible-users.ts`).
 * The audience is a rule: the guests to whom the user is inaccessible. It is resolved before the event that gives
 * access, or after the one that removes it. So each guest gets one event per user, however many channels a transaction
 * changes.
 */
import type { profileData } from '@heddle/api/objects/user.ts';
import type { Static } from 'typebox';
import { canAccess } from '../../../directory/accessible-users.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import type { StateDelta } from '../../../directory/state-deltas.ts';
import type { Audience, NewEvent } from '../../../log/event.ts';
import type { RowOf, RowWriter } from '../../../log/rows.ts';
import { presentProfile } from '../profile-fields/queries.ts';
import { queueResets, resetQueues } from './queue-resets.ts';
/** The bodies of `realm_user` events about users who become accessible or inaccessible to the reader. */
export type UserAccessEvent =
  | {
      readonly op: 'add';
      readonly user: UserRecord;
      /** Absent for new accounts, whose profile is empty. */
      readonly profile?: Static<typeof profileData>;
      /** The account is new, and the reader cannot access it. */
      readonly isInaccessible?: true;
    }
  | { readonly op: 'remove'; readonly userId: number };

/** The most users that one transaction announces. Beyond that, resetting the queues of the guests costs less. */
const MAX_ANNOUNCED_USERS = 250;

/**
 * The most pairs of users who meet by one message and are announced. Beyond that, the queues of the guests are reset.
 */
const MAX_MEETINGS = 2500;

/** The most pairs of a guest and a user that one transaction checks. */
const MAX_CHECKED_PAIRS = 100_000;

/** The first message of a direct conversation makes its participants visible to the guests in it. */
export interface Introduction {
  readonly pairs: readonly RowOf<typeof contacts.columns>[];
  /** Inform the guests before the message itself does, and carry the state deltas for the directory. */
  readonly events: readonly NewEvent[];
}

export const contacts = {
  table: 'acquaintances',
  columns: { guest_id: 'integer', user_id: 'integer' },
  write: (rows: string) => `
    INSERT INTO acquaintances (organization_id, guest_id, user_id)
    SELECT $1, guest_id, user_id FROM ${rows} ON CONFLICT DO NOTHING`,
} as const satisfies RowWriter;

/** Announces a new account to guests who cannot access it. Call it after the event for the others. */
export function announceInaccessible(change: Change, user: UserRecord): void {
  if (!change.directory.hidesPeople || user.isBot) return;
  change.announced.newcomers.set(user.id, user);
  const body: UserAccessEvent = { op: 'add', user, isInaccessible: true };
  change.append({ type: 'realm_user', audience: usersWithoutAccessTo(user.id), body });
}

/**
 * Announces users who become accessible because these users join a channel. Call it before the event that subscribes
 * them.
 */
export function announceArrivals(change: Change, channelId: number, userIds: readonly number[]): void {
  const { directory } = change;
  announceMoved(change, channelId, userIds, {
    isNoNews: (guest, person) => canAccess(directory, guest, person),
    eventFor: (person, among) => becomesAccessible(directory, person, usersWithoutAccessTo(person.id, among)),
  });
}

/** Announces users who become inaccessible because these users left a channel. Call it after the event that says so. */
export function announceDepartures(change: Change, channelId: number, userIds: readonly number[]): void {
  announceMoved(change, channelId, userIds, {
    isNoNews: (guest, person) => change.directory.contacts.of(guest.id).has(person.id),
    eventFor: (person, among) => becomesInaccessible(person.id, usersWithoutAccessTo(person.id, among)),
  });
}

interface Announcement {
  /** Whether the guest's access to the person cannot change. Spares an event if it holds for all guests who move. */
  readonly isNoNews: (guest: UserRecord, person: UserRecord) => boolean;
  readonly eventFor: (person: UserRecord, among: Audience) => NewEvent;
}

/** Announces the moving users to the guests in the channel, and the other subscribers to the guests who move. */
function announceMoved(
  change: Change,
  channelId: number,
  movingIds: readonly number[],
  { isNoNews, eventFor }: Announcement,
): void {
  if (!change.directory.hidesPeople) return;
  const ids = new Set(movingIds);
  const moving = activeOf(change, ids);
  const there = activeOf(change, change.directory.subscriptions.of(channelId).keys()).filter(({ id }) => !ids.has(id));
  const guests = moving.filter(isGuest);
  const concerned = [...guests, ...there.filter(isGuest)];
  if (concerned.length === 0) return;
  if (guests.length * there.length > MAX_CHECKED_PAIRS) {
    resetQueues(change, idsOf(concerned));
    return;
  }
  const isNews = (person: UserRecord) => !guests.every((guest) => isNoNews(guest, person));
  const changed = [
    ...moving.map((person) => ({ person, among: inChannel(channelId, guests) })),
    ...there.filter(isNews).map((person) => ({ person, among: these(guests) })),
  ];
  const events = changed.filter(({ person }) => !person.isBot).map(({ person, among }) => eventFor(person, among));
  announce(change, events, concerned);
}

/**
 * Announces a closed account to guests who could access it only through channels. Call it after the event that closes
 * it.
 */
export function announceClosed({ directory, append }: Change, user: UserRecord): void {
  const sharing = sharingWith(directory, user);
  if (sharing !== undefined) append(becomesInaccessible(user.id, usersWithoutAccessTo(user.id, sharing)));
}

/**
 * Announces a reactivated account to guests who can access it through channels. Call it before the event that
 * reactivates it.
 */
export function announceOpened({ directory, append }: Change, opened: UserRecord): void {
  const sharing = sharingWith(directory, opened);
  if (sharing !== undefined) append(becomesAccessible(directory, opened, usersWithoutAccessTo(opened.id, sharing)));
}

/**
 * The users who become accessible to guests by a message among these participants, including the sender. undefined:
 * none.
 */
export function introductionAmong(directory: Directory, participants: readonly UserRecord[]): Introduction | undefined {
  if (!directory.hidesPeople) return undefined;
  const people = participants.filter(({ isBot }) => !isBot);
  const meetings = participants.filter(isGuest).flatMap((guest) => {
    const known = directory.contacts.of(guest.id);
    const others = people.filter(({ id }) => id !== guest.id && !known.has(id));
    return others.length === 0 ? [] : [{ guest, others }];
  });
  if (meetings.length === 0) return undefined;
  const deltas = meetings.map(({ guest, others }): StateDelta => {
    return { delta: 'acquainted', userId: guest.id, others: idsOf(others) };
  });
  const noted: NewEvent = { type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas };
  const pairs = meetings.flatMap(({ guest, others }) => others.map(({ id }) => ({ guest_id: guest.id, user_id: id })));
  if (pairs.length > MAX_MEETINGS) {
    return { pairs, events: [noted, ...queueResets(meetings.map(({ guest }) => guest.id))] };
  }
  const notices = people.flatMap((person) => {
    const guests = meetings.flatMap(({ guest }) => (canAccess(directory, guest, person) ? [] : guest));
    return guests.length === 0 ? [] : [becomesAccessible(directory, person, these(guests))];
  });
  return { pairs, events: [...notices, noted] };
}

function announce(change: Change, events: readonly NewEvent[], guests: readonly UserRecord[]): void {
  const { announced } = change;
  announced.count += events.length;
  if (announced.count > MAX_ANNOUNCED_USERS) resetQueues(change, idsOf(guests));
  else for (const event of events) change.append(event);
}

function becomesAccessible(directory: Directory, user: UserRecord, audience: Audience): NewEvent {
  const body: UserAccessEvent = {
    op: 'add',
    user,
    ...(!user.isBot && { profile: presentProfile(directory, user.id) }),
  };
  return { type: 'realm_user', audience, body };
}

function becomesInaccessible(userId: number, audience: Audience): NewEvent {
  const body: UserAccessEvent = { op: 'remove', userId };
  return { type: 'realm_user', audience, body };
}

function usersWithoutAccessTo(userId: number, among: Audience = { to: 'everyone' }): Audience {
  return { to: 'usersWithoutAccess', userId, among };
}

function inChannel(channelId: number, others: readonly UserRecord[]): Audience {
  const subscribers: Audience = { to: 'subscribers', channelId, only: true };
  return others.length === 0 ? subscribers : { to: 'any', of: [subscribers, these(others)] };
}

function these(users: readonly UserRecord[]): Audience {
  return { to: 'users', users: idsOf(users) };
}

function idsOf(users: readonly UserRecord[]): number[] {
  return users.map(({ id }) => id);
}

/** The subscribers who share a channel with the user; undefined if the event has no audience. */
function sharingWith({ subscriptions, hidesPeople }: Directory, user: UserRecord): Audience | undefined {
  if (!hidesPeople || user.isBot) return undefined;
  const of = subscriptions.channelsOf(user.id).map((channelId) => inChannel(channelId, []));
  return of.length === 0 ? undefined : { to: 'any', of };
}

function activeOf(change: Change, userIds: Iterable<number>): UserRecord[] {
  const { newcomers } = change.announced;
  const users: UserRecord[] = [];
  for (const id of userIds) {
    const user = change.directory.user(id) ?? newcomers.get(id);
    if (user?.isActive) users.push(user);
  }
  return users;
}

function isGuest({ role, isActive }: UserRecord): boolean {
  return role === Role.guest && isActive;
}
