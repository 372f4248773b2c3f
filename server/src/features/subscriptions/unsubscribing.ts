import { badRequest } from '@heddle/api/errors.ts';
import { channelRefusal } from '../../access/channels.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { knowsChannel } from '../../directory/visibility.ts';
import { removeSubscribers } from './actions.ts';
import { activeUsers } from './queries.ts';

interface Unsubscribing {
  readonly caller: UserRecord;
  readonly names: readonly string[];
  readonly principals: readonly (number | string)[];
}

/** The names of channels, one for each user that was, or was not, subscribed. */
export interface Unsubscribed {
  readonly removed: string[];
  readonly not_removed: string[];
}

/**
 * Ends subscriptions to the channels that are named.
 * @throws ApiError `BAD_REQUEST`: no such channel or user, or not the caller's to remove
 */
export async function unsubscribe(change: Change, request: Unsubscribing): Promise<Unsubscribed> {
  const { directory } = change;
  const { caller, principals } = request;
  // Also the caller: the account may have been closed since the request was let in.
  const users = activeUsers(directory, principals.length === 0 ? [caller.id] : principals);
  const channels = namedChannels(change, request);
  if (users.some((user) => user.id !== caller.id && user.botOwnerId !== caller.id)) {
    for (const channel of channels) {
      const refusal = channelRefusal(directory, caller, channel, 'remove-subscribers');
      if (refusal !== undefined) throw refusal;
    }
  }
  const removed: string[] = [];
  const notRemoved: string[] = [];
  for (const { id, name } of channels) {
    for (const user of users) (directory.subscriptions.has(id, user.id) ? removed : notRemoved).push(name);
  }
  await removeSubscribers(
    change,
    channels.map((channel) => ({ channel, userIds: users.map((user) => user.id) })),
  );
  return { removed, not_removed: notRemoved };
}

function namedChannels({ directory }: Change, { caller, names }: Unsubscribing) {
  const channels = new Map<number, NonNullable<ReturnType<typeof directory.channel>>>();
  const missing: string[] = [];
  for (const name of names) {
    const channel = directory.channelByName(name.trim());
    if (channel === undefined || !knowsChannel(directory, caller, channel)) missing.push(name);
    else channels.set(channel.id, channel);
  }
  if (missing.length > 0) throw badRequest(`Channel(s) (${missing.join(', ')}) do not exist`);
  return [...channels.values()];
}
