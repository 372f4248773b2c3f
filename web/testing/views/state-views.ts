/** Views that have nothing, cannot have it, or wait for it. */
import type { Route } from 'playwright-core';
import { settle } from './open-view.ts';
import { topic, type View, type ViewStep } from './view.ts';

const WRITER: NonNullable<View['as']> = ({ people }) => people.noor;
const NEWCOMER: NonNullable<View['as']> = ({ newcomer }) => newcomer;
const QUIET = topic('operations', 'on call');
const NETWORK_PROBLEMS = ['no response', 'Failed to fetch', 'ERR_INTERNET_DISCONNECTED', 'ERR_FAILED'];

/** An empty view of a new user. */
function empty(name: string, title: string, hash: string, text: string): View {
  return {
    name: `${name}-empty`,
    title: `${title}, empty`,
    as: NEWCOMER,
    route: () => hash,
    shows: (page) => page.getByText(text),
  };
}

/** Ends the open connections, so that the page asks again. */
async function reconnect({ page }: ViewStep): Promise<void> {
  await page.context().setOffline(true);
  await page.context().setOffline(false);
}

function refuse(status: number, code: string, msg: string) {
  return (route: Route) => route.fulfill({ status, json: { result: 'error', code, msg } });
}

const EMPTY: readonly View[] = [
  empty('mentions', 'Mentions', '#narrow/is/mentioned', 'Nobody has mentioned you yet'),
  empty('starred', 'Starred messages', '#narrow/is/starred', 'No starred messages'),
  empty('drafts', 'Drafts', '#drafts', 'No drafts'),
  empty('scheduled', 'Scheduled messages', '#scheduled', 'Nothing is scheduled.'),
  empty('reminders', 'Reminders', '#reminders', 'No reminders'),
  {
    name: 'direct-empty',
    title: 'Direct messages with a person, empty',
    as: NEWCOMER,
    route: ({ people }) => `#narrow/dm/${people.sam.client.userId}-dm`,
    shows: (page) => page.getByText(/^No messages with/),
  },
];

const GONE: readonly View[] = [
  {
    name: 'archived',
    title: 'An archived channel',
    route: topic('regatta', 'results'),
    shows: (page) => page.getByText('This channel is archived.', { exact: false }).first(),
  },
  {
    name: 'archived-settings',
    title: 'Settings of an archived channel',
    route: ({ channels }) => `#channels/${channels.regatta}/regatta/general`,
    shows: (page) => page.getByText('This channel is archived. Nobody can write in it.'),
  },
  {
    name: 'channels-archived',
    title: 'Archived channels',
    route: () => '#channels/archived',
    shows: (page) => page.getByRole('link', { name: 'regatta' }),
  },
  {
    name: 'deactivated-person',
    title: 'A deactivated person',
    route: ({ deactivated }) => `#user/${deactivated.client.userId}`,
    shows: (page) => page.getByRole('main').getByText('Deactivated', { exact: false }).first(),
  },
  {
    name: 'channel-hidden',
    title: 'A channel that the person cannot read',
    as: ({ people }) => people.elif,
    route: ({ channels }) => `#narrow/channel/${channels.leadership}-leadership`,
    shows: (page) => page.getByText('You cannot read this channel'),
  },
  {
    name: 'person-unknown',
    title: 'A person who does not exist',
    route: () => '#user/987654',
    shows: (page) => page.getByText('You cannot see this person'),
  },
  {
    name: 'group-unknown',
    title: 'A group that does not exist',
    route: () => '#groups/987654',
    shows: (page) => page.getByText('This group is not there'),
  },
  {
    name: 'settings-refused',
    title: 'Organization permissions of a member',
    as: ({ people }) => people.elif,
    route: () => '#organization/organization-permissions',
    shows: (page) => page.getByRole('heading', { name: 'Organization permissions' }),
  },
];

/** The server responds in these ways only rarely, so the browser does it instead. */
const TROUBLE: readonly View[] = [
  {
    name: 'loading',
    title: 'Messages that are being loaded',
    route: topic('design', 'icons'),
    spoilsProfile: true,
    isBusy: true,
    // The request never has a response.
    before: ({ page }) => page.route('**/json/messages?*', () => undefined),
    shows: (page) => page.getByRole('main').locator('[aria-busy=true]').first(),
  },
  {
    name: 'messages-refused',
    title: 'Messages that the server refuses',
    route: topic('design', 'icons'),
    spoilsProfile: true,
    problems: ['status 400: GET'],
    before: ({ page }) => page.route('**/json/messages?*', refuse(400, 'BAD_REQUEST', 'Insufficient permission')),
    shows: (page) => page.getByText('These messages cannot be shown'),
  },
  {
    name: 'send-refused',
    title: 'A message that the server refuses',
    as: WRITER,
    route: QUIET,
    spoilsProfile: true,
    problems: ['status 400: POST'],
    async act({ page }) {
      await page.route(
        '**/json/messages',
        refuse(400, 'BAD_REQUEST', 'Direct messages are disabled in this organization.'),
      );
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('The disk of gauge-7 is replaced.');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    },
    shows: (page) => page.getByText(/^Not sent: /),
  },
  {
    name: 'offline',
    title: 'Without a network',
    as: WRITER,
    route: QUIET,
    spoilsProfile: true,
    problems: NETWORK_PROBLEMS,
    async act({ page }) {
      await page.getByText('Sleep well').waitFor();
      // A person who used the app before has its fonts and pictures.
      await settle(page);
      await page.context().setOffline(true);
    },
    shows: (page) => page.getByText('You are offline.'),
  },
  {
    name: 'reconnecting',
    title: 'A server that cannot be reached',
    as: WRITER,
    route: QUIET,
    spoilsProfile: true,
    problems: NETWORK_PROBLEMS,
    async act(step) {
      await step.page.getByText('Sleep well').waitFor();
      await step.page.route('**/json/**', (route) => route.abort());
      await reconnect(step);
    },
    shows: (page) => page.getByText('The server cannot be reached.'),
  },
  {
    name: 'deactivated',
    title: 'An account that was deactivated',
    as: WRITER,
    route: QUIET,
    spoilsProfile: true,
    problems: [...NETWORK_PROBLEMS, 'status 401'],
    async act(step) {
      await step.page.getByText('Sleep well').waitFor();
      await step.page.route('**/json/**', refuse(401, 'USER_DEACTIVATED', 'Account is deactivated'));
      await reconnect(step);
    },
    shows: (page) => page.getByText('Your account is deactivated.'),
  },
  {
    name: 'spectator',
    title: 'A public channel, seen without an account',
    as: () => 'spectator',
    route: ({ channels }) => `#narrow/channel/${channels.announcements}-announcements`,
    shows: (page) => page.getByText('The minutes of the company'),
  },
  {
    name: 'spectator-home',
    title: 'The first view without an account',
    as: () => 'spectator',
    route: () => '',
    shows: (page) => page.getByText('The minutes of the company'),
  },
  {
    name: 'login',
    title: 'Login',
    as: () => 'visitor',
    route: () => 'login/',
    shows: (page) => page.getByRole('heading', { name: /log in/i }).first(),
  },
];

export const STATE_VIEWS: readonly View[] = [...EMPTY, ...GONE, ...TROUBLE];
