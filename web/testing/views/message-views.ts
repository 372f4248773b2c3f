/** Messages, what people do with them, and the compose box. */
import type { Page } from 'playwright-core';
import { message, topic, type View, type ViewStep } from './view.ts';

const TIDES = topic('engineering', 'tide model v2');
const MAP = topic('design', 'new map style');

/** Where nobody has written anything that a draft could disturb. */
const QUIET = topic('operations', 'on call');
/** A picture of one pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WRITER: NonNullable<View['as']> = ({ people }) => people.noor;

function box(page: Page) {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

/** Moves to the message and presses a key there. */
async function pressOn({ page }: ViewStep, text: string, key: string): Promise<void> {
  await message(page, text).focus();
  await page.keyboard.press(key);
}

export const MESSAGE_VIEWS: readonly View[] = [
  {
    name: 'topic',
    title: 'A topic with code, formula, table and quote',
    route: TIDES,
    shows: (page) => page.getByText('Deployed to the canary'),
  },
  {
    name: 'topic-top',
    title: 'The beginning of the topic',
    route: TIDES,
    async act({ page }) {
      await message(page, 'Deployed to the canary').waitFor();
      await page.getByRole('main').first().focus();
      await page.keyboard.press('Home');
    },
    shows: (page) => page.getByRole('math').first(),
  },
  {
    name: 'topic-pictures',
    title: 'A topic with pictures and a poll',
    route: MAP,
    shows: (page) => page.getByRole('button', { name: /^3 votes for Evening/ }),
  },
  {
    name: 'todo',
    title: 'A to-do list',
    route: topic('engineering', 'release 4.2'),
    shows: (page) => page.getByRole('checkbox', { name: /^Translations/ }),
  },
  {
    name: 'message-menu',
    title: 'The menu of a message',
    route: TIDES,
    async act({ page, device }) {
      const target = message(page, 'That matches what I measured');
      await target.waitFor();
      if (device !== 'phone') return target.click({ button: 'right', position: { x: 260, y: 12 } });
      await target.evaluate((element) =>
        element.dispatchEvent(
          new PointerEvent('contextmenu', { pointerType: 'touch', bubbles: true, cancelable: true }),
        ),
      );
    },
    shows: (page) =>
      page
        .getByRole('menu', { name: 'Message actions' })
        .or(page.getByRole('dialog', { name: 'Message actions' }))
        .first(),
  },
  {
    name: 'emoji-picker',
    title: 'The emoji picker',
    route: TIDES,
    act: (step) => pressOn(step, 'That matches what I measured', ':'),
    shows: (page) => page.getByRole('gridcell').nth(20),
  },
  {
    name: 'edit-history',
    title: 'The history of a message',
    route: ({ people }) => `#narrow/dm/${people.priya.client.userId}-dm`,
    act: (step) => pressOn(step, 'one o’clock', 'Shift+H'),
    shows: (page) => page.getByRole('dialog', { name: 'Edit history' }).getByRole('insertion').first(),
  },
  {
    name: 'edit-message',
    title: 'A message that is edited',
    route: ({ people }) => `#narrow/dm/${people.priya.client.userId}-dm`,
    act: (step) => pressOn(step, 'one o’clock', 'e'),
    shows: (page) => page.getByRole('textbox', { name: 'Edit message' }),
  },
  {
    name: 'move-messages',
    title: 'Moving messages',
    route: TIDES,
    act: (step) => pressOn(step, 'That matches what I measured', 'm'),
    shows: (page) => page.getByRole('dialog', { name: 'Move messages' }).getByText(/This concerns/),
  },
  {
    name: 'lightbox',
    title: 'A picture',
    route: MAP,
    async act({ page }) {
      await page.getByRole('link', { name: 'Open picture evening.png' }).press('Enter');
    },
    shows: (page) => page.getByRole('dialog', { name: 'evening.png' }).getByRole('img', { name: 'evening.png' }),
  },
  {
    name: 'user-card',
    title: 'The card of a person',
    route: TIDES,
    async act({ page }) {
      await message(page, 'The bug behind').getByRole('button', { name: 'Jonas Okafor' }).first().click();
    },
    shows: (page) => page.getByRole('dialog').getByText('Focus until noon'),
  },
  {
    name: 'profile',
    title: 'A profile',
    route: ({ people }) => `#user/${people.jonas.client.userId}`,
    shows: (page) => page.getByRole('main').getByText('Yoruba, English, German'),
  },
  {
    name: 'shortcuts',
    title: 'Help about the keyboard',
    route: () => '#inbox',
    async act({ page }) {
      await page.keyboard.press('?');
    },
    shows: (page) => page.getByRole('dialog').getByText('Next unread topic'),
  },
  {
    name: 'no-permission',
    title: 'A channel where the person cannot write',
    as: ({ people }) => people.elif,
    route: topic('announcements', 'company meeting'),
    shows: (page) => page.getByText('The minutes of the company'),
  },
  {
    name: 'compose-typeahead',
    title: 'Writing: suggestions',
    as: WRITER,
    route: QUIET,
    async act({ page }) {
      await box(page).fill('');
      await box(page).pressSequentially('Thanks @j');
    },
    shows: (page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: /Jonas/ }),
  },
  {
    name: 'compose-waiting',
    title: 'Writing: a message that waits for its picture',
    as: WRITER,
    route: QUIET,
    async act({ page }) {
      await page.route(/\/tus\b/, () => undefined);
      await box(page).fill('The disk as of this morning');
      await page
        .getByLabel('Files', { exact: true })
        .setInputFiles([{ name: 'disk.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') }]);
      await page.getByRole('progressbar', { name: 'Upload of disk.png' }).waitFor();
      await box(page).press('Control+Enter');
    },
    shows: (page) => page.getByText('It is sent as soon as its files are uploaded'),
  },
  {
    name: 'compose-too-long',
    title: 'Writing: a text above the limit',
    as: WRITER,
    route: QUIET,
    act: ({ page }) => box(page).fill('Disk '.repeat(2_010)),
    shows: (page) => page.getByText('characters too many'),
  },
  {
    name: 'compose-preview',
    title: 'Writing: the preview',
    as: WRITER,
    route: QUIET,
    async act({ page }) {
      await box(page).fill(
        '**Done.** The disk has room again:\n\n```sh\ndf -h /var/lib/gauge\n```\n* 38 % used\n* next check on Monday',
      );
      await page.getByRole('button', { name: 'Preview' }).click();
    },
    shows: (page) => page.getByRole('region', { name: 'Preview' }).getByText('next check on Monday'),
  },
  {
    name: 'compose-new',
    title: 'Writing: a new message to a person',
    as: WRITER,
    route: () => '#inbox',
    async act({ page }) {
      await page.getByRole('main').first().focus();
      await page.keyboard.press('x');
      await box(page).waitFor();
    },
    shows: (page) => page.getByRole('listbox', { name: 'People' }).getByRole('option').first(),
  },
];
