import { accessChannels, channelRefusal } from '../../../access/channels.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../../directory/records.ts';
import { checkedChannelName } from '../../channels/names.ts';
import { removeSubscribers } from './actions.ts';
import { type Batch, batchesOf, CHANNEL_COST_MEMBERSHIPS, checkSize, type Planned } from './batches.ts';
import { activeUsers } from './queries.ts';

/**
 * The cost of ending a membership, in memberships that begin. It writes two rows and looks for unread messages.
 */
const ENDING_COST_MEMBERSHIPS = 7;

/**
 * The most memberships that end in one commit, which holds the organization lock for about 50 ms. Each commit may
 * announce thousands of messages as read.
 */
const MAX_ENDS_PER_COMMIT = 500;

interface Unsubscribing {
  readonly caller: UserRecord;
  readonly names: readonly string[];
  readonly principals: readonly (number | string)[];
}

type Need = 'unsubscribe' | 'remove-subscribers';

/** Names of channels, one per user who was, or was not, subscribed. */
export interface Unsubscribed {
  readonly removed: string[];
  readonly not_removed: string[];
}

/**
 * Plans to unsubscribe users from the named channels. Checks everything here, and each step checks again.
 * @throws ApiError `BAD_REQUEST`: an invalid name, an unknown channel or user, or a missing permission
 */
export function planUnsubscribing(
  directory: Directory,
  { caller, names, principals }: Unsubscribing,
  maxInBatch = MAX_ENDS_PER_COMMIT,
): Planned<Unsubscribed> {
  const users = activeUsers(directory, caller, principals.length === 0 ? [caller.id] : principals);
  const isOwn = users.every((user) => user.id === caller.id || user.botOwnerId === caller.id);
  const need: Need = isOwn ? 'unsubscribe' : 'remove-subscribers';
  const channels = accessChannels(directory, caller, names.map(checkedChannelName), need);
  checkSize(channels.length, users.length);
  const userIds = users.map(({ id }) => id);
  const answer: Unsubscribed = { removed: [], not_removed: [] };
  const steps = batchesOf(channels, userIds, () => CHANNEL_COST_MEMBERSHIPS / ENDING_COST_MEMBERSHIPS, maxInBatch).map(
    (batch) => ({
      act: async (change: Change, user: UserRecord) => {
        const left = await leave(change, user, need, batch);
        return () => {
          answer.removed.push(...left.removed);
          answer.not_removed.push(...left.not_removed);
        };
      },
    }),
  );
  return { steps, answer: () => answer };
}

async function leave(
  change: Change,
  caller: UserRecord,
  need: Need,
  { channels: named, userIds }: Batch<ChannelRecord>,
): Promise<Unsubscribed> {
  const { directory } = change;
  activeUsers(directory, caller, userIds);
  const channels = named.map(({ id, name }) => {
    const channel = directory.channel(id);
    if (channel === undefined) throw new Error(`the channel ${id} is gone`);
    const refusal = channelRefusal(directory, caller, channel, need, name);
    if (refusal !== undefined) throw refusal;
    return channel;
  });
  const removed: string[] = [];
  const notRemoved: string[] = [];
  for (const { id, name } of channels) {
    for (const userId of userIds) (directory.subscriptions.has(id, userId) ? removed : notRemoved).push(name);
  }
  await removeSubscribers(
    change,
    channels.map((channel) => ({ channel, userIds })),
  );
  return { removed, not_removed: notRemoved };
}
