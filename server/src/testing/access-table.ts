/**
 * Who may call what: a row for each request, with what becomes of it in the hands of each caller. The organization is as it begins,
 * with every setting at its default; only a channel for reports is chosen.
 */
import type { Endpoint } from '@heddle/api/contract.ts';
import * as authentication from '@heddle/api/endpoints/authentication.ts';
import * as folders from '@heddle/api/endpoints/channel-folders.ts';
import * as channels from '@heddle/api/endpoints/channels.ts';
import * as emoji from '@heddle/api/endpoints/custom-emoji.ts';
import * as deleting from '@heddle/api/endpoints/deleting.ts';
import * as editing from '@heddle/api/endpoints/editing.ts';
import * as events from '@heddle/api/endpoints/events.ts';
import * as messages from '@heddle/api/endpoints/messages.ts';
import * as organizations from '@heddle/api/endpoints/organizations.ts';
import * as reactions from '@heddle/api/endpoints/reactions.ts';
import * as reading from '@heddle/api/endpoints/reading.ts';
import * as reports from '@heddle/api/endpoints/reports.ts';
import * as snippets from '@heddle/api/endpoints/saved-snippets.ts';
import * as server from '@heddle/api/endpoints/server.ts';
import * as subscriptions from '@heddle/api/endpoints/subscriptions.ts';
import * as topics from '@heddle/api/endpoints/topics.ts';
import * as typing from '@heddle/api/endpoints/typing.ts';
import * as groups from '@heddle/api/endpoints/user-groups.ts';
import * as userTopics from '@heddle/api/endpoints/user-topics.ts';
import * as users from '@heddle/api/endpoints/users.ts';
import { getEmojiData } from '../features/emoji/routes.ts';
import { movingPicture, PASSWORD, type Scene } from './access-scene.ts';
import type { Fields } from './client.ts';

/** What the letters of a row mean: the status, and the code in the body. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  '+': '200',
  b: '400 BAD_REQUEST',
  p: '400 UNAUTHORIZED_PRINCIPAL',
  c: '400 CANNOT_ADMINISTER_CHANNEL',
  s: '400 STREAM_DOES_NOT_EXIST',
  q: '400 BAD_EVENT_QUEUE_ID',
  a: '401 AUTHENTICATION_FAILED',
  u: '401 UNAUTHORIZED',
  x: '401 USER_DEACTIVATED',
  r: '400 REACTION_DOES_NOT_EXIST',
  n: '404 BAD_REQUEST',
};

export interface AccessRow {
  readonly endpoint: Endpoint;
  /** What is asked for, where the endpoint has several rows. */
  readonly what: string;
  /**
   * Letters of `OUTCOMES` in the order of `COLUMNS`: owner, administrator, moderator, member, guest, bot; then, after a space, nobody
   * (no credentials), a deactivated account, an account of another organization.
   */
  readonly outcomes: string;
  /** The parameters, with whatever they name made anew. */
  readonly fields: (scene: Scene) => Fields | Promise<Fields>;
  /** Where the endpoint takes a file. */
  readonly file?: () => Promise<Buffer>;
}

function row(
  endpoint: Endpoint,
  what: string,
  outcomes: string,
  fields: AccessRow['fields'] = () => ({}),
  file?: AccessRow['file'],
): AccessRow {
  return { endpoint, what, outcomes, fields, ...(file !== undefined && { file }) };
}

const OF_ACCOUNTS: readonly AccessRow[] = [
  row(authentication.fetchApiKey, 'with the right password', '+++++a axa', ({ caller }) => ({
    username: caller.email,
    password: PASSWORD,
  })),
  row(authentication.developmentFetchApiKey, 'where that is switched on', '+++++a axa', ({ caller }) => ({
    username: caller.email,
  })),
  row(server.getServerSettings, 'always', '++++++ +++'),
  row(getEmojiData, 'always', '++++++ +++', () => ({})),
  row(users.getOwnUser, 'always', '++++++ uxu'),
  row(users.getUsers, 'all', '++++++ uxu'),
  row(users.getUser, 'another', '++++++ uxu', ({ colleague }) => ({ user_id: colleague.userId })),
  row(users.getUserByEmail, 'another', '++++++ uxu', ({ colleague }) => ({ email: colleague.email })),
  row(organizations.updateOrganization, 'what administrators decide', '++pppp uxu', (scene) => ({
    description: scene.name(),
  })),
  row(organizations.updateOrganization, 'what owners decide', '+ppppp uxu', () => ({ invite_required: true })),
  row(snippets.getSavedSnippets, 'always', '++++++ uxu'),
  row(snippets.createSavedSnippet, 'always', '++++++ uxu', () => ({ title: 'title', content: 'content' })),
  row(snippets.editSavedSnippet, 'an own one', '++++++ uxu', async ({ self }) => ({
    ...(await snippetOf(self)),
    title: 'new',
  })),
  row(snippets.editSavedSnippet, "somebody else's", 'nnnnnn uxu', async ({ colleague }) => ({
    ...(await snippetOf(colleague)),
    title: 'new',
  })),
  row(snippets.deleteSavedSnippet, 'an own one', '++++++ uxu', ({ self }) => snippetOf(self)),
  row(snippets.deleteSavedSnippet, "somebody else's", 'nnnnnn uxu', ({ colleague }) => snippetOf(colleague)),
  row(events.registerQueue, 'of what they get', '++++++ uxu'),
  row(events.registerQueue, 'of all public channels', '++++b+ uxu', () => ({ all_public_streams: true })),
  row(events.getEvents, 'an own queue', '++++++ uxu', async ({ self }) => ({
    ...(await queueOf(self)),
    last_event_id: -1,
    dont_block: true,
  })),
  row(events.getEvents, "somebody else's queue", 'qqqqqq uxu', async ({ colleague }) => ({
    ...(await queueOf(colleague)),
    last_event_id: -1,
    dont_block: true,
  })),
  row(events.deleteQueue, 'an own queue', '++++++ uxu', ({ self }) => queueOf(self)),
  row(events.deleteQueue, "somebody else's queue", 'qqqqqq uxu', ({ colleague }) => queueOf(colleague)),
];

async function snippetOf(user: Scene['self']): Promise<Fields> {
  const { saved_snippet_id } = await user.ok('POST', '/saved_snippets', { title: 'title', content: 'content' });
  return { saved_snippet_id };
}

async function queueOf(user: Scene['self']): Promise<Fields> {
  return { queue_id: (await user.register({ event_types: ['message'], fetch_event_types: [] })).id };
}

const IN_TOPIC = { topic: 'topic', content: 'content' };

const OF_MESSAGES: readonly AccessRow[] = [
  row(messages.sendMessage, 'where they are subscribed', '++++++ uxu', ({ standing }) => ({
    ...{ type: 'channel', to: standing.common, ...IN_TOPIC },
  })),
  row(messages.sendMessage, 'to a public channel where they are not', '++++s+ uxu', ({ standing }) => ({
    ...{ type: 'channel', to: standing.others, ...IN_TOPIC },
  })),
  row(messages.sendMessage, 'to a private channel where they are not', 'bbssss uxu', ({ standing }) => ({
    ...{ type: 'channel', to: standing.closed, ...IN_TOPIC },
  })),
  row(messages.sendMessage, 'to one person', '++++++ uxu', ({ colleague }) => ({
    ...{ type: 'direct', to: [colleague.userId], content: 'content' },
  })),
  row(messages.getMessage, 'of a channel where they are subscribed', '++++++ uxu', async (scene) => ({
    message_id: await scene.message(),
  })),
  row(messages.getMessage, 'of a public channel where they are not', '++++b+ uxu', (scene) =>
    messageIn(scene, 'others'),
  ),
  row(messages.getMessage, 'of a private channel where they are not', 'bbbbbb uxu', (scene) =>
    messageIn(scene, 'closed'),
  ),
  row(messages.getMessage, "of somebody else's notes to themselves", 'bbbbbb uxu', async ({ colleague }) => ({
    message_id: await colleague.direct([colleague.userId], 'content'),
  })),
  row(messages.getMessages, 'the newest', '++++++ uxu', () => ({ anchor: 'newest', num_before: 5, num_after: 0 })),
  row(messages.updateMessageFlags, 'starring what they can read', '++++++ uxu', async (scene) => ({
    ...{ messages: [await scene.message()], op: 'add', flag: 'starred' },
  })),
  row(messages.updateMessageFlags, 'starring what they cannot read', 'bbbbbb uxu', async ({ colleague }) => ({
    ...{ messages: [await colleague.direct([colleague.userId], 'content')], op: 'add', flag: 'starred' },
  })),
  row(reading.updateMessageFlagsForNarrow, 'of a channel', '++++++ uxu', ({ standing }) => ({
    ...{ anchor: 'newest', num_before: 5, num_after: 0, op: 'add', flag: 'starred' },
    narrow: [{ operator: 'channel', operand: standing.common }],
  })),
  row(reading.markAllAsRead, 'always', '++++++ uxu'),
  row(reading.markChannelAsRead, 'where they are subscribed', '++++++ uxu', inCommon),
  row(reading.markTopicAsRead, 'where they are subscribed', '++++++ uxu', async (scene) => {
    await scene.message();
    return { ...inCommon(scene), topic_name: 'topic' };
  }),
  row(editing.updateMessage, 'the content of an own one', '++++++ uxu', async (scene) => ({
    ...{ message_id: await scene.ownMessage(), content: 'new' },
  })),
  row(editing.updateMessage, "the content of somebody else's", 'bbbbbb uxu', async (scene) => ({
    ...{ message_id: await scene.message(), content: 'new' },
  })),
  row(editing.updateMessage, "to another topic, somebody else's", '++++++ uxu', async (scene) => ({
    ...{ message_id: await scene.message(), topic: scene.name() },
  })),
  row(editing.updateMessage, 'to another channel', '++++b+ uxu', async (scene) => ({
    ...{ message_id: await scene.message(), stream_id: (await scene.channel()).id },
  })),
  row(editing.updateMessage, 'resolving the topic', '++++++ uxu', async (scene) => {
    const topic = scene.name();
    const message_id = await scene.colleague.send(scene.standing.common, topic, 'content');
    return { message_id, topic: `✔ ${topic}`, propagate_mode: 'change_all' };
  }),
  row(editing.getMessageHistory, 'of what they can read', '++++++ uxu', async (scene) => ({
    message_id: await scene.message(),
  })),
  row(editing.getMessageHistory, 'of a public channel where they are not', '++++b+ uxu', (scene) =>
    messageIn(scene, 'others'),
  ),
  row(deleting.deleteMessage, 'an own one', '++++++ uxu', async (scene) => ({ message_id: await scene.ownMessage() })),
  row(deleting.deleteMessage, "somebody else's", '++bbbb uxu', async (scene) => ({
    message_id: await scene.message(),
  })),
  row(deleting.deleteTopic, 'where they are subscribed', '++pppp uxu', async (scene) => {
    const { id } = await scene.channel();
    await scene.colleague.send(id, 'topic', 'content');
    return { stream_id: id, topic_name: 'topic' };
  }),
  row(reactions.addReaction, 'to what they can read', '++++++ uxu', async (scene) => ({
    ...{ message_id: await scene.message(), emoji_name: 'octopus' },
  })),
  row(reactions.addReaction, 'in a public channel where they are not', '++++b+ uxu', async (scene) => ({
    ...{ ...(await messageIn(scene, 'others')), emoji_name: 'octopus' },
  })),
  row(reactions.removeReaction, 'an own one', '++++++ uxu', async (scene) => {
    const message_id = await scene.message();
    await scene.self.ok('POST', `/messages/${message_id}/reactions`, { emoji_name: 'octopus' });
    return { message_id, emoji_name: 'octopus' };
  }),
  row(reactions.removeReaction, "somebody else's", 'rrrrrr uxu', async (scene) => {
    const message_id = await scene.message();
    await scene.colleague.ok('POST', `/messages/${message_id}/reactions`, { emoji_name: 'octopus' });
    return { message_id, emoji_name: 'octopus' };
  }),
  row(reports.reportMessage, 'what they can read', '++++++ uxu', async (scene) => ({
    ...{ message_id: await scene.message(), report_type: 'spam' },
  })),
  row(reports.reportMessage, 'of a private channel where they are not', 'bbbbbb uxu', async (scene) => ({
    ...{ ...(await messageIn(scene, 'closed')), report_type: 'spam' },
  })),
  row(typing.setTyping, 'to one person', '++++++ uxu', ({ colleague }) => ({
    ...{ type: 'direct', op: 'start', to: [colleague.userId] },
  })),
  row(typing.setTyping, 'where they are subscribed', '++++++ uxu', (scene) => ({
    ...{ type: 'channel', op: 'start', ...inCommon(scene), topic: 'topic' },
  })),
  row(topics.getTopics, 'of a channel where they are subscribed', '++++++ uxu', inCommon),
  row(topics.getTopics, 'of a public channel where they are not', '++++b+ uxu', amongOthers),
  row(topics.getTopics, 'of a private channel where they are not', 'bbbbbb uxu', inClosed),
  row(userTopics.updateUserTopic, 'where they are subscribed', '++++++ uxu', (scene) => ({
    ...{ ...inCommon(scene), topic: scene.name(), visibility_policy: 1 },
  })),
  row(userTopics.updateMutedTopic, 'where they are subscribed', '++++++ uxu', (scene) => ({
    ...{ ...inCommon(scene), topic: scene.name(), op: 'add' },
  })),
];

async function messageIn({ colleague, standing }: Scene, channel: keyof Scene['standing']): Promise<Fields> {
  return { message_id: await colleague.send(standing[channel], 'topic', 'content') };
}

function inCommon({ standing }: Scene): Fields {
  return { stream_id: standing.common };
}

function amongOthers({ standing }: Scene): Fields {
  return { stream_id: standing.others };
}

function inClosed({ standing }: Scene): Fields {
  return { stream_id: standing.closed };
}

const OF_CHANNELS: readonly AccessRow[] = [
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

const OF_SUBSCRIPTIONS: readonly AccessRow[] = [
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

const OF_EMOJI: readonly AccessRow[] = [
  row(emoji.getCustomEmoji, 'always', '++++++ uxu'),
  row(emoji.uploadCustomEmoji, 'always', '++++b+ uxu', (scene) => ({ emoji_name: nameOfEmoji(scene) }), movingPicture),
  row(emoji.deactivateCustomEmoji, "somebody else's", '++bbbb uxu', async (scene) => ({
    emoji_name: (await scene.emojiOf(scene.colleague)).name,
  })),
  row(emoji.getEmojiPicture, 'always', '++++++ +++', async (scene) => {
    return pictureAt((await scene.emojiOf(scene.owner)).source_url);
  }),
  row(emoji.getStillEmojiPicture, 'always', '++++++ +++', async (scene) => {
    return pictureAt((await scene.emojiOf(scene.owner)).still_url);
  }),
];

const nameOfEmoji = (scene: Scene) => scene.name().replace(' ', '-');

/** What the path of a picture says: `/user_avatars/1/emoji/images/….gif`. */
function pictureAt(path: string): Fields {
  return { organization_id: path.split('/')[2], file: path.split('/').at(-1) };
}

const OF_GROUPS: readonly AccessRow[] = [
  row(groups.getUserGroups, 'always', '++++bb uxu'),
  row(groups.createUserGroup, 'always', '++++bb uxu', (scene) => ({
    ...{ name: scene.name(), description: '', members: [] },
  })),
  row(groups.updateUserGroup, "somebody else's", '+bbbbb uxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), description: 'new' },
  })),
  row(groups.updateUserGroup, 'one that they may manage', '++++bb uxu', async (scene) => ({
    user_group_id: await scene.group(managedBy(scene)),
    description: 'new',
  })),
  row(groups.deactivateUserGroup, "somebody else's", '+bbbbb uxu', async (scene) => ({
    user_group_id: await scene.group(),
  })),
  row(groups.updateUserGroupMembers, "of somebody else's", '+bbbbb uxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), add: [scene.colleague.userId] },
  })),
  row(groups.updateUserGroupMembers, 'leaving one', '++++bb uxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), delete: [scene.self.userId] },
  })),
  row(groups.updateUserGroupSubgroups, "of somebody else's", '+bbbbb uxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), add: [await scene.group()] },
  })),
  row(groups.getUserGroupMembers, 'always', '++++bb uxu', async (scene) => ({ user_group_id: await scene.group() })),
  row(groups.getUserGroupSubgroups, 'always', '++++bb uxu', async (scene) => ({ user_group_id: await scene.group() })),
  row(groups.getIsUserGroupMember, 'always', '++++bb uxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), user_id: scene.colleague.userId },
  })),
];

function managedBy({ self }: Scene): Fields {
  return { can_manage_group: { direct_members: [self.userId], direct_subgroups: [] } };
}

export const ACCESS_TABLE: readonly AccessRow[] = [
  ...OF_ACCOUNTS,
  ...OF_MESSAGES,
  ...OF_CHANNELS,
  ...OF_SUBSCRIPTIONS,
  ...OF_EMOJI,
  ...OF_GROUPS,
];
