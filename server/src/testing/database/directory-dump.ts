import { directoryParts } from '../../all-features.ts';
import { canAccess, hasInaccessibleUsers } from '../../directory/accessible-users.ts';
import type { Directory } from '../../directory/directory.ts';
import { hadMetadataAccessUnsubscribed } from '../../directory/visibility.ts';

/**
 * Dumps everything that a directory can be asked for. Two directories have the same dump exactly if they give the same
 * answers. Past audiences are included for each event after `trimmedThrough`, because earlier ones cannot be queried.
 */
export function dumpDirectory(directory: Directory, trimmedThrough = 0) {
  const users = [...directory.users.values()].toSorted((a, b) => a.id - b.id);
  const channels = [...directory.channels.values()].toSorted((a, b) => a.id - b.id);
  const { subscriptions, groups } = directory;
  return {
    organization: directory.organization,
    appliedThrough: directory.appliedThrough,
    changedAt: directory.changedAt,
    users,
    systemBots: [...directory.systemBots.values()].toSorted((a, b) => a.id - b.id),
    idsByEmail: users.map((user) => [
      directory.userByEmail(user.email)?.id,
      directory.userByEmail(user.deliveryEmail.toUpperCase())?.id,
    ]),
    idsByName: users.map((user) => directory.correspondentsByName(user.fullName.toUpperCase()).map(({ id }) => id)),
    channels,
    channelIdsByName: channels.map((channel) => directory.channelByName(channel.name.toUpperCase())?.id),
    groups: [...groups.all.values()].toSorted((a, b) => a.id - b.id),
    directMembers: [...groups.all.keys()].toSorted(ascending).map((id) => sorted(groups.membersOf(id))),
    subgroups: [...groups.all.keys()].toSorted(ascending).map((id) => sorted(groups.subgroupsOf(id))),
    directGroups: users.map((user) => sorted(groups.directGroupsOf(user.id))),
    groupMembers: users.map((user) => sorted([...groups.all.keys()].filter((id) => groups.includes(id, user)))),
    groupsOf: users.map((user) => sorted(groups.groupsOf(user))),
    parts: directoryParts.map((part) => part.contents(directory.part(part))),
    subscriptions: channels.map((channel) => [...subscriptions.of(channel.id)].toSorted(([a], [b]) => a - b)),
    channelsByUser: users.map((user) => subscriptions.channelsOf(user.id).toSorted(ascending)),
    pastAccess: pastAccess(directory, trimmedThrough),
    pastUserAccess: pastUserAccess(directory, trimmedThrough),
    pastSubscribers: channels.map(({ id }) => pastSubscribers(directory, id, trimmedThrough)),
  };
}

/** Metadata access and group memberships after each event, if they differ from those after the event before. */
function pastAccess(directory: Directory, after: number) {
  const { users, channels, groups, history, appliedThrough } = directory;
  const changes: { event: number; known: string[] }[] = [];
  for (let event = after + 1; event <= appliedThrough; event++) {
    const then = history.groupsAfter(groups, event);
    const known = sorted(users.keys()).map((id) => {
      const user = users.get(id);
      if (user === undefined) return '';
      const role = history.userAfter(user, event);
      const knows = channels
        .values()
        .filter((channel) => hadMetadataAccessUnsubscribed(directory, user, channel, event));
      const isIn = groups.all.keys().filter((groupId) => then.includes(groupId, role));
      return `${role.role}: ${sorted(knows.map((channel) => channel.id))}; ${sorted(isIn)}`;
    });
    if (`${changes.at(-1)?.known}` !== `${known}`) changes.push({ event, known });
  }
  return changes;
}

/** The accessible users of guests after each event, and when their queues were reset. */
function pastUserAccess(directory: Directory, after: number) {
  const guests = [...directory.users.values()].filter((user) => hasInaccessibleUsers(directory, user));
  const changes: { event: number; known: string[] }[] = [];
  for (let event = after + 1; event <= directory.appliedThrough; event++) {
    const known = guests.map((guest) => {
      const people = directory.users.values().filter((person) => canAccess(directory, guest, person, event));
      return `${guest.id}: ${sorted(people.map(({ id }) => id))}`;
    });
    if (`${changes.at(-1)?.known}` !== `${known}`) changes.push({ event, known });
  }
  const queuesResetAt = sorted(directory.users.keys()).map((id) =>
    Math.max(after, directory.history.queuesResetAt(id)),
  );
  return { changes, queuesResetAt };
}

const sorted = (ids: Iterable<number>) => [...ids].sort(ascending);
const ascending = (a: number, b: number) => a - b;

/** The subscribers at and after each event, if they differ from those at the event before. */
function pastSubscribers({ subscriptions, users, appliedThrough }: Directory, channelId: number, after: number) {
  const changes: { event: number; at: number[]; after: number[]; endedSince: boolean }[] = [];
  for (let event = after + 1; event <= appliedThrough; event++) {
    const now = {
      event,
      at: [...users.keys()].filter((userId) => subscriptions.hadAt(channelId, userId, event)).toSorted(ascending),
      after: subscriptions.after(channelId, event).toSorted(ascending),
      endedSince: subscriptions.endedSince(channelId, event),
    };
    const last = changes.at(-1);
    if (last === undefined || JSON.stringify({ ...last, event }) !== JSON.stringify(now)) changes.push(now);
  }
  return changes;
}
