import { accessChannels } from '../../access/channels.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
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
  const { caller, names, principals } = request;
  // Also the caller: the account may have been closed since the request was let in.
  const users = activeUsers(directory, principals.length === 0 ? [caller.id] : principals);
  const isOwn = users.every((user) => user.id === caller.id || user.botOwnerId === caller.id);
  const channels = accessChannels(directory, caller, names, isOwn ? 'unsubscribe' : 'remove-subscribers');
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
