/** Access rows for channels, folders and subscriptions. */
import * as folders from '@heddle/api/endpoints/channel-folders.ts';
import * as channels from '@heddle/api/endpoints/channels.ts';
import * as subscriptions from '@heddle/api/endpoints/subscriptions.ts';
import type { Fields } from '../clients/client.ts';
import { type AccessRow, amongOthers, inClosed, inCommon, row } from './access-row.ts';
import type { Scene } from './access-scene.ts';

export const OF_CHANNELS: readonly AccessRow[] = [
  row(channels.createChannel, 'a public one', '++++b+ uuxu', (scene) => ({ name: scene.name(), subscribers: [] })),
  row(channels.createChannel, 'a private one', '++++b+ uuxu', (scene) => ({
    ...{ name: scene.name(), subscribers: [], invite_only: true },
  })),
  row(channels.getChannels, 'what they may know', '++++++ uuxu'),
  row(channels.getChannels, 'all, under the old name', '++bbbb uuxu', () => ({ include_all_active: true })),
  row(channels.getChannel, 'where they are subscribed', '++++++ uuxu', inCommon),
  row(channels.getChannel, 'a public one where they are not', '++++b+ uuxu', amongOthers),
  row(channels.getChannel, 'a private one where they are not', '++bbbb uuxu', inClosed),
  row(channels.getChannelId, 'where they are subscribed', '++++++ uuxu', () => ({ stream: 'common' })),
  row(channels.getChannelId, 'a public one where they are not', '++++b+ uuxu', () => ({ stream: 'others' })),
  row(channels.getChannelId, 'a private one where they are not', '++bbbb uuxu', () => ({ stream: 'closed' })),
  row(channels.getSubscribers, 'where they are subscribed', '++++++ uuxu', inCommon),
  row(channels.getSubscribers, 'of a public one where they are not', '++++b+ uuxu', amongOthers),
  row(channels.getSubscribers, 'of a private one where they are not', '++bbbb uuxu', inClosed),
  row(channels.getChannelEmailAddress, 'where they are subscribed', '++++++ uuxu', inCommon),
  row(channels.getChannelEmailAddress, 'of a private one where they are not', 'bbbbbb uuxu', inClosed),
  row(channels.updateChannel, "somebody else's", '++cccc uuxu', async (scene) => ({
    ...{ stream_id: (await scene.channel()).id, description: 'new' },
  })),
  row(channels.updateChannel, 'one that they were given to administer', '++++c+ uuxu', async (scene) => ({
    ...{ stream_id: (await scene.ownChannel()).id, description: 'new' },
  })),
  row(channels.archiveChannel, "somebody else's", '++cccc uuxu', newChannel),
  row(channels.archiveChannel, 'one that they were given to administer', '++++c+ uuxu', async (scene) => ({
    stream_id: (await scene.ownChannel()).id,
  })),
  row(channels.addDefaultChannel, 'a public one', '++pppp uuxu', newChannel),
  row(channels.removeDefaultChannel, 'a public one', '++pppp uuxu', async (scene) => {
    const channel = await newChannel(scene);
    await scene.owner.ok('POST', '/default_streams', channel);
    return channel;
  }),
  row(folders.getChannelFolders, 'always', '++++++ uuxu'),
  row(folders.createChannelFolder, 'always', '++pppp uuxu', (scene) => ({ name: scene.name(), description: '' })),
  row(folders.updateChannelFolder, 'always', '++pppp uuxu', async (scene) => {
    const folder = { name: scene.name(), description: '' };
    const { channel_folder_id } = await scene.owner.ok('POST', '/channel_folders/create', folder);
    return { channel_folder_id, description: 'new' };
  }),
  row(folders.reorderChannelFolders, 'always', '++pppp uuxu', async ({ owner }) => {
    const { channel_folders } = await owner.ok('GET', '/channel_folders', { include_archived: true });
    return { order: channel_folders.map(({ id }: { readonly id: number }) => id) };
  }),
];

async function newChannel(scene: Scene): Promise<Fields> {
  return { stream_id: (await scene.channel()).id };
}

export const OF_SUBSCRIPTIONS: readonly AccessRow[] = [
  row(subscriptions.getSubscriptions, 'always', '++++++ uuxu'),
  row(subscriptions.subscribe, 'to a channel that is not there yet', '++++b+ uuxu', (scene) => ({
    subscriptions: [{ name: scene.name() }],
  })),
  row(subscriptions.subscribe, 'to a public channel', '++++b+ uuxu', async (scene) => ({
    subscriptions: [{ name: (await scene.channelOfOthers()).name }],
  })),
  row(subscriptions.subscribe, 'to a private channel', 'bbbbbb uuxu', () => ({ subscriptions: [{ name: 'closed' }] })),
  row(subscriptions.subscribe, 'somebody else', '++++b+ uuxu', async (scene) => ({
    subscriptions: [{ name: (await scene.channelOfTheirOwn()).name }],
    principals: [scene.colleague.userId],
  })),
  row(subscriptions.unsubscribe, 'themselves', '++++++ uuxu', async (scene) => ({
    subscriptions: [(await scene.channel()).name],
  })),
  row(subscriptions.unsubscribe, 'somebody else', '++bbbb uuxu', async (scene) => ({
    ...{ subscriptions: [(await scene.channel()).name], principals: [scene.colleague.userId] },
  })),
  row(subscriptions.updateSubscriptions, 'to a public channel', '++++b+ uuxu', async (scene) => ({
    add: [{ name: (await scene.channelOfOthers()).name }],
  })),
  row(subscriptions.updateSubscriptions, 'away from one', '++++++ uuxu', async (scene) => ({
    delete: [(await scene.channel()).name],
  })),
  row(subscriptions.updateSubscriptionSettings, 'of an own subscription', '++++++ uuxu', ({ standing }) => ({
    subscription_data: [{ stream_id: standing.common, property: 'pin_to_top', value: true }],
  })),
  row(subscriptions.getUserChannels, "somebody else's", '++++++ uuxu', ({ colleague }) => ({
    user_id: colleague.userId,
  })),
  row(subscriptions.getSubscriptionStatus, 'somebody else where they are subscribed', '++++++ uuxu', (scene) => ({
    ...{ user_id: scene.colleague.userId, ...inCommon(scene) },
  })),
  row(subscriptions.getSubscriptionStatus, 'in a private channel where they are not', '++bbbb uuxu', (scene) => ({
    ...{ user_id: scene.colleague.userId, ...inClosed(scene) },
  })),
];
