/** The dialogs and menus that are not in the other tables. Each closes with its page. */
import type { Page } from 'playwright-core';
import { choose, heading, message, topic, type View, type ViewStep } from './view.ts';

const TIDES = topic('engineering', 'tide model v2');
const SAMS = 'That matches what I measured';
/** Where nobody has written anything that a draft could disturb. */
const QUIET = topic('operations', 'on call');
const WRITER: NonNullable<View['as']> = ({ people }) => people.noor;

/** A browser of the pictures has no push service. */
const NOTIFIED_DEVICES = {
  result: 'success',
  msg: '',
  devices: [
    { device_id: 1, is_current: true, browser: 'Firefox', system: 'Linux', shows_text: true, last_notified_at: null },
    {
      device_id: 2,
      is_current: false,
      browser: 'Chrome',
      system: 'Android',
      shows_text: false,
      last_notified_at: 1_770_000_000,
    },
  ].map((one) => ({ ...one, registered_at: 1_760_000_000, last_used_at: 1_770_000_000 })),
};

function dialog(page: Page, name: string | RegExp) {
  return page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name })).first();
}

/** A dialog that a key opens on a message. */
function onMessage(name: string, title: string, key: string, shown: string): View {
  return {
    name,
    title,
    route: TIDES,
    async act({ page }) {
      await message(page, SAMS).focus();
      await page.keyboard.press(key);
    },
    shows: (page) => dialog(page, shown),
  };
}

/** A dialog that an entry of a message's menu opens. */
function fromMessageMenu(name: string, title: string, entry: string, shown: string): View {
  return {
    name,
    title,
    route: TIDES,
    async act({ page }) {
      await message(page, SAMS).focus();
      await page.keyboard.press('i');
      await choose(page, undefined, entry);
    },
    shows: (page) => dialog(page, shown),
  };
}

/** A dialog that an entry of a menu opens. */
function fromMenu(
  view: Omit<View, 'act' | 'shows'>,
  button: string | RegExp,
  entry: string,
  shown: string | RegExp,
): View {
  return { ...view, act: ({ page }) => choose(page, button, entry), shows: (page) => dialog(page, shown) };
}

/** A dialog that a button of a page opens. */
function onPage(name: string, title: string, hash: string, button: string | RegExp, shown: string | RegExp): View {
  return {
    name,
    title,
    route: () => hash,
    async act({ page }) {
      await page.getByRole('button', { name: button }).first().click();
    },
    shows: (page) => dialog(page, shown),
  };
}

/** Opens the own menu, which a phone has in its list of conversations. */
async function ownMenu({ page, device }: ViewStep): Promise<void> {
  if (device === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: /Your account/ }).click();
}

const MESSAGE_DIALOGS: readonly View[] = [
  onMessage('read-receipts', 'Read receipts', 'Shift+V', 'Read receipts'),
  onMessage('reminder', 'A new reminder', 'Shift+T', 'Remind me'),
  onMessage('message-source', 'The source of a message', 'e', 'Source of the message'),
  {
    name: 'pinned-messages',
    title: 'The pinned messages',
    route: TIDES,
    async act({ page }) {
      await page.getByRole('button', { name: '2 pinned messages' }).click();
    },
    shows: (page) => dialog(page, 'Pinned messages').getByText('Pinned by Mara Lindqvist').first(),
  },
  fromMessageMenu('delete-message', 'Deleting a message', 'Delete…', 'Delete this message?'),
  fromMessageMenu('report-message', 'Reporting a message', 'Report…', 'Report this message'),
  {
    name: 'topic-menu',
    title: 'The menu of a topic',
    route: TIDES,
    async act({ page }) {
      await page.getByRole('button', { name: 'Topic actions' }).first().click();
    },
    shows: (page) => page.getByText('Mark as resolved'),
  },
  fromMenu({ name: 'date', title: 'Going to a date', route: TIDES }, 'Topic actions', 'Go to a date…', 'Go to a date'),
  fromMenu(
    { name: 'move-topic', title: 'Moving a topic', route: TIDES },
    'Topic actions',
    'Move or rename…',
    'Move or rename the topic',
  ),
  fromMenu(
    { name: 'delete-topic', title: 'Deleting a topic', route: TIDES },
    'Topic actions',
    'Delete topic…',
    /^Delete the topic/,
  ),
  fromMenu(
    {
      name: 'channel-colour',
      title: 'The colour of a channel',
      route: ({ channels }) => `#narrow/channel/${channels.engineering}-engineering`,
    },
    'Channel actions',
    'Change colour…',
    /^Colour of/,
  ),
  fromMenu(
    {
      name: 'leave-private-channel',
      title: 'Leaving a private channel',
      route: ({ channels }) => `#narrow/channel/${channels.leadership}-leadership`,
    },
    'Channel actions',
    'Unsubscribe',
    /^Leave/,
  ),
];

const WRITING_DIALOGS: readonly View[] = [
  fromMenu(
    { name: 'insert-poll', title: 'Writing: a poll', as: WRITER, route: QUIET },
    'More tools',
    'Poll',
    'New poll',
  ),
  fromMenu(
    { name: 'insert-todo', title: 'Writing: a to-do list', as: WRITER, route: QUIET },
    'More tools',
    'To-do list',
    'New to-do list',
  ),
  fromMenu(
    { name: 'insert-time', title: 'Writing: a time', as: WRITER, route: QUIET },
    'More tools',
    'Time in the zone of each reader',
    'Insert a time',
  ),
  fromMenu(
    { name: 'voice', title: 'Writing: a voice message', route: QUIET },
    'More tools',
    'Voice message',
    'Voice message',
  ),
  fromMenu({ name: 'snippet', title: 'Writing: a snippet', route: QUIET }, 'More tools', 'New snippet', 'New snippet'),
  {
    name: 'snippets',
    title: 'Writing: saved snippets',
    route: QUIET,
    act: ({ page }) => choose(page, 'More tools', 'Saved snippets'),
    shows: (page) => dialog(page, 'Saved snippets').getByRole('button', { name: 'Insert' }),
  },
  {
    name: 'more-tools',
    title: 'Writing: the menu of more tools',
    as: WRITER,
    route: QUIET,
    act: ({ page }) => page.getByRole('button', { name: 'More tools' }).first().click(),
    shows: (page) => page.getByRole('menuitem', { name: 'Numbered list' }),
  },
  {
    name: 'send-later',
    title: 'Writing: send later',
    as: WRITER,
    route: QUIET,
    async act({ page }) {
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Good morning!');
      await choose(page, 'Send later', 'Another time…');
    },
    shows: (page) => dialog(page, 'Send later'),
  },
  onPage('change-time', 'The time of a scheduled message', '#scheduled', 'Change time', 'When to send'),
];

const PEOPLE_DIALOGS: readonly View[] = [
  {
    name: 'own-menu',
    title: 'The own menu',
    route: () => '#inbox',
    act: ownMenu,
    shows: (page) => page.getByRole('menuitem', { name: 'Log out' }),
  },
  {
    name: 'status',
    title: 'The own status',
    route: () => '#inbox',
    async act(step) {
      await ownMenu(step);
      await step.page.getByRole('menuitem', { name: 'Set a status' }).click();
    },
    shows: (page) => dialog(page, 'Set a status'),
  },
  {
    name: 'pause',
    title: 'Pausing notifications',
    route: () => '#inbox',
    async act(step) {
      await ownMenu(step);
      await step.page.getByRole('menuitem', { name: 'Pause notifications' }).click();
    },
    shows: (page) => dialog(page, 'Pause notifications'),
  },
  {
    name: 'quiet-hours',
    title: 'Quiet hours of every week',
    route: () => '#settings/notifications',
    async act({ page }) {
      await page.getByRole('button', { name: 'Add hours of every week' }).click();
    },
    shows: (page) => page.getByText('On the next day'),
  },
  {
    name: 'notified-devices',
    title: 'Devices that are notified',
    route: () => '#settings/notifications',
    spoilsProfile: true,
    before: ({ page }) => page.route('**/json/web_push/devices', (route) => route.fulfill({ json: NOTIFIED_DEVICES })),
    shows: (page) => page.getByText('Without the text of messages'),
  },
  {
    name: 'add-to-channel',
    title: 'Adding a person to a channel',
    route: ({ people }) => `#user/${people.jonas.client.userId}`,
    async act({ page }) {
      await choose(page, /^More about/, 'Add to a channel');
      await dialog(page, /^Add Jonas/).waitFor();
    },
    shows: (page) => page.getByRole('listbox', { name: 'Channel' }).getByRole('option').first(),
  },
];

const SETTINGS_DIALOGS: readonly View[] = [
  onPage('channel-folders', 'Folders of channels', '#channels/subscribed', 'Folders', 'Folders of channels'),
  onPage('leave-channel', 'Leaving a channel', '#channels/subscribed', 'Leave leadership', /^Leave/),
  onPage('member', 'A member', '#organization/users', 'Manage Jonas Okafor', 'Jonas Okafor'),
  onPage('bot-new', 'A new bot', '#settings/your-bots', 'Create a bot', 'Create a bot'),
  onPage('bot', 'A bot', '#settings/your-bots', 'Manage Gauge Bot', 'Gauge Bot'),
  onPage('emoji-delete', 'Deleting an emoji', '#organization/emoji-settings', 'Delete', /^Delete :tidewater:/),
  onPage('linkifier', 'A linkifier', '#organization/linkifier-settings', /^Edit/, /./),
  onPage('profile-field', 'A profile field', '#organization/profile-field-settings', /^Edit Role/, 'Edit Role'),
  {
    name: 'archive-channel',
    title: 'Archiving a channel',
    route: ({ channels }) => `#channels/${channels.lunch}/lunch/general`,
    async act({ page }) {
      await page.getByRole('button', { name: 'Archive channel' }).click();
    },
    shows: (page) => dialog(page, /^Archive/),
  },
];

const HELP: readonly View[] = [
  {
    name: 'help-shortcuts',
    title: 'Help: keyboard shortcuts',
    route: () => '#keyboard-shortcuts',
    shows: heading('Keyboard shortcuts'),
  },
  {
    name: 'help-formatting',
    title: 'Help: message formatting',
    route: () => '#message-formatting',
    shows: heading('Message formatting'),
  },
  {
    name: 'help-search',
    title: 'Help: search operators',
    route: () => '#search-operators',
    shows: heading('Search operators'),
  },
];

export const DIALOG_VIEWS: readonly View[] = [
  ...HELP,
  ...MESSAGE_DIALOGS,
  ...WRITING_DIALOGS,
  ...PEOPLE_DIALOGS,
  ...SETTINGS_DIALOGS,
];
