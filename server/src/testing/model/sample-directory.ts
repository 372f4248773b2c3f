import type { MarkupDirectory, RenderOptions } from '../../markup/types.ts';

/** The small organization of the tests of `markup/`. */
const users = [
  { id: 5, fullName: 'King Hamlet' },
  { id: 6, fullName: 'Iago' },
  { id: 7, fullName: 'Twin' },
  { id: 8, fullName: 'Twin' },
  { id: 9, fullName: 'Yorick', isActive: false },
  { id: 10, fullName: '<b>&"' },
];
const channels = [
  { id: 3, name: 'Denmark' },
  { id: 4, name: 'a & b. (c)' },
];
const groups = [
  { id: 30, name: 'hamlet characters' },
  { id: 31, name: 'ghosts', isActive: false },
];

export const sampleDirectory: MarkupDirectory = {
  userById: (id) => users.find((user) => user.id === id),
  usersByName: (name) => users.filter((user) => user.fullName.toLowerCase() === name.toLowerCase()),
  channelByName: (name) => channels.find((channel) => channel.name.toLowerCase() === name.toLowerCase()),
  groupByName: (name) => groups.find((group) => group.name === name),
  customEmoji: (name) =>
    name === 'green_tick' ? { id: 1, name, sourceUrl: '/user_avatars/2/emoji/images/1.png' } : undefined,
  latestMessageInTopic: (channelId, topic) => (channelId === 3 && topic === 'castle' ? 214 : undefined),
};

export const sampleOptions: RenderOptions = {
  allowWildcardMentions: true,
  organizationUrl: 'https://chat.example.org',
};
