/** Lists of conversations, feeds, search. */
import { topic, type View } from './view.ts';

const directWith =
  (...names: readonly ('priya' | 'jonas' | 'yuki')[]): View['route'] =>
  ({ people }) =>
    `#narrow/dm/${names.map((name) => people[name].client.userId).join(',')}-dm`;

export const CONVERSATION_VIEWS: readonly View[] = [
  {
    name: 'inbox',
    title: 'Inbox',
    route: () => '#inbox',
    shows: (page) =>
      page.getByRole('list', { name: 'Unread conversations' }).getByRole('link', { name: /^tide model v2/ }),
  },
  {
    name: 'inbox-empty',
    title: 'Inbox of a newcomer',
    as: ({ newcomer }) => newcomer,
    route: () => '#inbox',
    shows: (page) => page.getByText('You have read everything'),
  },
  {
    name: 'recent',
    title: 'Recent conversations',
    route: () => '#recent',
    shows: (page) => page.getByRole('table').getByRole('link', { name: /^tide model v2/ }),
  },
  {
    name: 'feed',
    title: 'Combined feed',
    route: () => '#feed',
    shows: (page) => page.getByRole('main').getByRole('article').first(),
  },
  {
    name: 'channel-feed',
    title: 'All messages of a channel',
    route: ({ channels }) => `#narrow/channel/${channels.engineering}-engineering`,
    shows: (page) => page.getByRole('main').getByRole('article').first(),
  },
  {
    name: 'topics',
    title: 'The topics of a channel',
    route: ({ channels }) => `#topics/channel/${channels.engineering}-engineering`,
    shows: (page) => page.getByRole('main').getByRole('list', { name: 'Topics' }).getByRole('link').first(),
  },
  {
    name: 'topics-unknown',
    title: 'The topics of a channel that does not exist',
    route: () => '#topics/channel/987654-gone',
    shows: (page) => page.getByText('This channel is not there'),
  },
  {
    name: 'share',
    title: 'Sharing a text from another app',
    route: () => '#share/text/Version%204.2%20is%20out',
    shows: (page) => page.getByRole('list', { name: 'Recent conversations' }).getByRole('button').first(),
  },
  {
    name: 'share-files',
    title: 'Sharing files that did not reach the app',
    route: () => '#share/files',
    shows: (page) => page.getByRole('list', { name: 'Recent conversations' }).getByRole('button').first(),
  },
  {
    name: 'share-nothing',
    title: 'Sharing, without anything',
    route: () => '#share',
    shows: (page) => page.getByText('Nothing to share'),
  },
  {
    name: 'direct',
    title: 'Direct messages with a person',
    route: directWith('priya'),
    shows: (page) => page.getByText('I put the drafts'),
  },
  {
    name: 'direct-group',
    title: 'Direct messages in a group',
    route: directWith('jonas', 'yuki'),
    shows: (page) => page.getByText('the applause'),
  },
  {
    name: 'mentions',
    title: 'Mentions',
    route: () => '#narrow/is/mentioned',
    shows: (page) => page.getByText('we can announce it'),
  },
  {
    name: 'starred',
    title: 'Starred messages',
    route: () => '#narrow/is/starred',
    shows: (page) => page.getByText('The minutes of the company'),
  },
  {
    name: 'drafts',
    title: 'Drafts',
    route: () => '#drafts',
    shows: (page) => page.getByRole('main').getByText('Version 4.2 is out'),
  },
  {
    name: 'scheduled',
    title: 'Scheduled messages',
    route: () => '#scheduled',
    shows: (page) => page.getByText('Welcome back!'),
  },
  {
    name: 'reminders',
    title: 'Reminders',
    route: () => '#reminders',
    shows: (page) => page.getByText('Before the call with the harbour'),
  },
  {
    name: 'search-results',
    title: 'Results of a search',
    route: () => '#narrow/search/model',
    shows: (page) => page.getByRole('article').filter({ hasText: 'harmonic' }),
  },
  {
    name: 'search-empty',
    title: 'A search without results',
    route: () => '#narrow/search/xylophone/has/link',
    shows: (page) => page.getByText('No message matches'),
  },
  {
    name: 'search',
    title: 'Search with suggestions',
    route: () => '#inbox',
    async act({ page }) {
      await page.keyboard.press('/');
      await page.getByRole('combobox', { name: 'Search' }).fill('pri');
    },
    shows: (page) => page.getByRole('option', { name: /sent by Priya/ }),
  },
  {
    name: 'palette',
    title: 'Command palette',
    route: () => '#inbox',
    async act({ page }) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Go to' }).fill('de');
    },
    shows: (page) => page.getByRole('option', { name: /design/ }).first(),
  },
  {
    name: 'menu',
    title: 'The list of conversations, which covers the view on a phone',
    route: () => '#feed',
    async act({ page, device }) {
      if (device === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
      else if (device === 'tablet') await page.getByRole('button', { name: 'Show details' }).click();
    },
    shows: (page) =>
      page
        .getByRole('complementary', { name: 'People' })
        .getByRole('row', { name: /Priya/ })
        .or(page.getByRole('list', { name: 'Conversations' }))
        .first(),
  },
  {
    name: 'not-found',
    title: 'An address that leads nowhere',
    route: () => '#nowhere',
    shows: (page) => page.getByText('This address leads nowhere'),
  },
  {
    name: 'channel-unknown',
    title: 'A channel that does not exist',
    route: () => '#channels/987654/gone/general',
    shows: (page) => page.getByText('This channel is not there'),
  },
  {
    name: 'topic-empty',
    title: 'A topic without messages',
    route: topic('sailing', 'Easter'),
    shows: (page) => page.getByRole('textbox', { name: 'Message', exact: true }),
  },
];
