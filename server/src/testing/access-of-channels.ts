/** Who may call what about channels, folders and subscriptions. */
import * as folders from '@heddle/api/endpoints/channel-folders.ts';
import * as channels from '@heddle/api/endpoints/channels.ts';
import * as subscriptions from '@heddle/api/endpoints/subscriptions.ts';
import { type AccessRow, amongOthers, inClosed, inCommon, row } from './access-row.ts';
import type { Scene } from './access-scene.ts';
import type { Fields } from './client.ts';

export const OF_CHANNELS: readonly AccessRow[] = [
  row(channels.createChannel, 'a public one', '++++b+ uxu', (scene) => ({ name: scene.name(), subscribers: [] })),
  row(channels.createChannel, 'a private one', '++++b+ uxu', (scene) => ({
    ...{ name: scene.name(), subscribers: [], invite_only: true },
  })),
  row(channels.getChannels, 'what they may know', '++++++ uxu'),
  row(channels.getChannels, 'all, under the old name', '++bbbb uxu', () => ({ include_all_active: true })),
  row(channels.getChannel, 'where they are subscribed', '++++++ uxu', inCommon),
  row(channels.getChannel, 'a public one where they are not', '++++b+ uxu', amongOthers),
  row(channels.getChannel, 'a private one where they are not', '++bbbb uxu', inClosed),
  row(channels.getChannelId, 'where they are subscribed', '++++++ uxu', () => ({ stream: 'common' })),
  row(channels.getChannelId, 'a public one where they are not', '++++b+ uxu', () => ({ stream: 'others' })),
  row(channels.getChannelId, 'a private one where they are not', '++bbbb uxu', () => ({ stream: 'closed' })),
  row(channels.getSubscribers, 'where they are subscribed', '++++++ uxu', inCommon),
  row(channels.getSubscribers, 'of a public one where they are not', '++++b+ uxu', amongOthers),
  row(channels.getSubscribers, 'of a private one where they are not', '++bbbb uxu', inClosed),
  row(channels.getChannelEmailAddress, 'where they are subscribed', '++++++ uxu', inCommon),
  row(channels.getChannelEmailAddress, 'of a private one where they are not', 'bbbbbb uxu', inClosed),
  row(channels.updateChannel, "somebody else's", '++cccc uxu', async (scene) => ({
    ...{ stream_id: (await scene.channel()).id, description: 'new' },
  })),
  row(channels.updateChannel, 'one that they were given to administer', '++++c+ uxu', async (scene) => ({
    ...{ stream_id: (await scene.ownChannel()).id, description: 'new' },
  })),
  row(channels.archiveChannel, "somebody else's", '++cccc uxu', newChannel),
  row(channels.archiveChannel, 'one that they were given to administer', '++++c+ uxu', async (scene) => ({
    stream_id: (await scene.ownChannel()).id,
  })),
  row(channels.addDefaultChannel, 'a public one', '++bbbb uxu', newChannel),
  row(channels.removeDefaultChannel, 'a public one', '++bbbb uxu', async (scene) => {
    const channel = await newChannel(scene);
    await scene.owner.ok('POST', '/default_streams', channel);
    return channel;
  }),
  row(folders.getChannelFolders, 'always', '++++++ uxu'),
  row(folders.createChannelFolder, 'always', '++pppp uxu', (scene) => ({ name: scene.name(), description: '' })),
  row(folders.updateChannelFolder, 'always', '++pppp uxu', async (scene) => {
    const folder = { name: scene.name(), description: '' };
    const { channel_folder_id } = await scene.owner.ok('POST', '/channel_folders/create', folder);
    return { channel_folder_id, description: 'new' };
  }),
  row(folders.reorderChannelFolders, 'always', '++pppp uxu', async ({ owner }) => {
    const { channel_folders } = await owner.ok('GET', '/channel_folders', { include_archived: true });
    return { order: channel_folders.map(({ id }: { readonly id: number }) => id) };
  }),
];

async function newChannel(scene: Scene): Promise<Fields> {
  return { stream_id: (await scene.channel()).id };
}

export const OF_SUBSCRIPTIONS: readonly AccessRow[] = [
  row(subscriptions.getSubscriptions, 'always', '++++++ uxu'),
  row(subscriptions.subscribe, 'to a channel that is not there yet', '++++b+ uxu', (scene) => ({
    subscriptions: [{ name: scene.name() }],
  })),
  row(subscriptions.subscribe, 'to a public channel', '++++b+ uxu', async (scene) => ({
    subscriptions: [{ name: (await scene.channelOfOthers()).name }],
  })),
  row(subscriptions.subscribe, 'to a private channel', 'bbbbbb uxu', () => ({ subscriptions: [{ name: 'closed' }] })),
  row(subscriptions.subscribe, 'somebody else', '++++b+ uxu', async (scene) => ({
    subscriptions: [{ name: (await scene.channelOfTheirOwn()).name }],
    principals: [scene.colleague.userId],
  })),
  row(subscriptions.unsubscribe, 'themselves', '++++++ uxu', async (scene) => ({
    subscriptions: [(await scene.channel()).name],
  })),
  row(subscriptions.unsubscribe, 'somebody else', '++bbbb uxu', async (scene) => ({
    ...{ subscriptions: [(await scene.channel()).name], principals: [scene.colleague.userId] },
  })),
  row(subscriptions.updateSubscriptions, 'to a public channel', '++++b+ uxu', async (scene) => ({
    add: [{ name: (await scene.channelOfOthers()).name }],
  })),
  row(subscriptions.updateSubscriptions, 'away from one', '++++++ uxu', async (scene) => ({
    delete: [(await scene.channel()).name],
  })),
  row(subscriptions.updateSubscriptionSettings, 'of an own subscription', '++++++ uxu', ({ standing }) => ({
    subscription_data: [{ stream_id: standing.common, property: 'pin_to_top', value: true }],
  })),
  row(subscriptions.getUserChannels, "somebody else's", '++++++ uxu', ({ colleague }) => ({
    user_id: colleague.userId,
  })),
  row(subscriptions.getSubscriptionStatus, 'somebody else where they are subscribed', '++++++ uxu', (scene) => ({
    ...{ user_id: scene.colleague.userId, ...inCommon(scene) },
  })),
  row(subscriptions.getSubscriptionStatus, 'in a private channel where they are not', '++bbbb uxu', (scene) => ({
    ...{ user_id: scene.colleague.userId, ...inClosed(scene) },
  })),
];
