import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Locator, Page } from 'playwright-core';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld, type OpenOptions, type Person } from '../../../testing/browser-world.ts';

const world = browserWorld();

interface Conversation {
  readonly ada: Person;
  readonly bob: Person;
  readonly channelId: number;
  readonly route: string;
  /** Ada and Bob write in turn. Returns the ids. */
  readonly ids: readonly number[];
  /** Opens the conversation as Ada. */
  readonly open: (options?: OpenOptions) => Promise<Page>;
}

let made = 0;

async function conversation(...texts: readonly string[]): Promise<Conversation> {
  made += 1;
  const [ada, bob] = [await world.user({ name: `Ada ${made}` }), await world.user({ name: `Bob ${made}` })];
  const channelId = await world.server.emptyChannel(ada.client, `weaving ${made}`, {
    principals: [bob.client.userId],
  });
  const ids: number[] = [];
  for (const [index, text] of texts.entries()) {
    ids.push(await (index % 2 === 0 ? ada : bob).client.send(channelId, 'looms', text));
  }
  const route = `#narrow/channel/${channelId}/topic/looms`;
  const open = (options?: OpenOptions) => world.open(ada, route, options);
  return { ada, bob, channelId, route, ids, open };
}

/** The message with this text. */
function message(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text });
}

/** Opens the menu of a message with a right click. */
async function menuOf(page: Page, text: string): Promise<Locator> {
  await message(page, text).click({ button: 'right', position: { x: 300, y: 10 } });
  return page.getByRole('menu', { name: 'Message actions' });
}

/** Rules about the list around the messages. */
const ABOUT_THE_LIST = { without: ['aria-required-children', 'heading-order'] };

world.test('reactions are added with the picker and the keyboard, and toggled with a click', async () => {
  const { bob, ids, open } = await conversation('my first text', 'the answer');
  const page = await open();
  await message(page, 'the answer').hover();
  await message(page, 'the answer').getByRole('button', { name: 'Add a reaction' }).click();
  const search = page.getByRole('combobox', { name: 'Search emoji' });
  await search.waitFor();
  await checkAccessibility(page, 'the picker of emoji', { part: 'overlays' });
  await search.fill('octop');
  await page.getByRole('gridcell', { name: 'octopus' }).waitFor();
  await search.press('Enter');
  const octopus = message(page, 'the answer').getByRole('button', { name: 'You reacted with :octopus:' });
  await octopus.waitFor();
  await bob.client.ok('POST', `/messages/${ids[1]}/reactions`, { emoji_name: 'octopus' });
  const both = message(page, 'the answer').getByRole('button', { name: `You and ${bob.name} reacted with :octopus:` });
  await both.click();
  await message(page, 'the answer')
    .getByRole('button', { name: `${bob.name} reacted with :octopus:`, exact: true })
    .waitFor();
  await message(page, 'my first text').focus();
  await page.keyboard.press('+');
  await message(page, 'my first text').getByRole('button', { name: 'You reacted with :+1:' }).waitFor();
});

world.test('a message is edited in place; another change in between is shown', async () => {
  const { ada, ids, open } = await conversation('the red thread');
  // The conflict.
  world.expectProblems('status 400');
  const page = await open();
  await message(page, 'the red thread').focus();
  await page.keyboard.press('e');
  const field = page.getByRole('textbox', { name: 'Edit message' });
  await field.fill('the red thread is long');
  await page.reload();
  await field.waitFor();
  await untilEqual(() => field.inputValue(), 'the red thread is long');
  await ada.client.ok('PATCH', `/messages/${ids[0]}`, { content: 'the blue thread' });
  await field.press('Control+Enter');
  await page.getByText('The message was changed while you edited it').waitFor();
  await checkAccessibility(page, 'a conflict', ABOUT_THE_LIST);
  await page.getByRole('button', { name: 'Save my text' }).click();
  await field.waitFor({ state: 'detached' });
  await message(page, 'the red thread is long').waitFor();

  const menu = await menuOf(page, 'the red thread is long');
  await menu.getByRole('menuitem', { name: 'View edit history' }).click();
  const history = page.getByRole('dialog', { name: 'Edit history' });
  await history.getByRole('insertion').filter({ hasText: 'blue' }).first().waitFor();
  await checkAccessibility(page, 'the history', { part: 'overlays' });
});

world.test('what is typed while an edit is saved stays, and a cancelled edit can be taken back', async () => {
  const { ids, open, ada } = await conversation('one loom');
  const page = await open();
  await page.route(`**/json/messages/${ids[0]}`, async (route) => {
    if (route.request().method() === 'PATCH') await saving.promise;
    await route.continue();
  });
  const saving = Promise.withResolvers<void>();
  await message(page, 'one loom').focus();
  await page.keyboard.press('e');
  const field = page.getByRole('textbox', { name: 'Edit message' });
  await field.fill('two looms');
  await field.press('Control+Enter');
  await page.getByRole('button', { name: 'Please wait' }).waitFor();
  await field.pressSequentially(' and a shuttle');
  saving.resolve();
  await page.getByRole('button', { name: 'Please wait' }).waitFor({ state: 'detached' });
  await untilEqual(() => field.inputValue(), 'two looms and a shuttle');
  assert.equal(
    (await ada.client.ok('GET', `/messages/${ids[0]}`, { apply_markdown: false })).message.content,
    'two looms',
  );

  await field.press('Escape');
  await field.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await field.and(page.locator(':focus')).waitFor();
  await field.press('Control+Enter');
  await field.waitFor({ state: 'detached' });
  await message(page, 'two looms and a shuttle').waitFor();
});

world.test('an edit that is saved does not take the focus from another field', async () => {
  const { ids, open } = await conversation('one loom');
  const page = await open();
  const saving = Promise.withResolvers<void>();
  await page.route(`**/json/messages/${ids[0]}`, async (route) => {
    if (route.request().method() === 'PATCH') await saving.promise;
    await route.continue();
  });
  await message(page, 'one loom').focus();
  await page.keyboard.press('e');
  const field = page.getByRole('textbox', { name: 'Edit message' });
  await field.fill('two looms');
  await field.press('Control+Enter');
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.click();
  saving.resolve();
  await field.waitFor({ state: 'detached' });
  await page.keyboard.type('new');
  await untilEqual(() => box.inputValue(), 'new');
});

world.test('letters that are typed before the text of a message has arrived reach the field', async () => {
  const { ids, open } = await conversation('one loom');
  const page = await open();
  let arrived = Promise.withResolvers<void>();
  await page.route(`**/json/messages/${ids[0]}?*`, async (route) => {
    await arrived.promise;
    await route.continue();
  });
  // Each of these letters is a shortcut elsewhere.
  const typed = 'Ptcx';
  const valueWith = (start: RegExp) =>
    page.waitForFunction(
      ([pattern, end]) => {
        const { value } = document.activeElement as HTMLTextAreaElement;
        return value !== undefined && new RegExp(pattern).test(value) && value.endsWith(end);
      },
      [start.source, typed] as const,
    );
  await message(page, 'one loom').focus();
  await page.keyboard.press('e');
  await page.keyboard.type(typed);
  arrived.resolve();
  await valueWith(/^one loom/);
  await page.keyboard.press('Escape');
  arrived = Promise.withResolvers<void>();
  await message(page, 'one loom').focus();
  await page.keyboard.press('>');
  await page.keyboard.type(typed);
  arrived.resolve();
  await valueWith(/quote\none loom\n/);
});

world.test('a message is starred, quoted, marked as unread, and deleted', async () => {
  const { open, ids, ada } = await conversation('warp', 'weft', 'shuttle');
  const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await message(page, 'weft').focus();
  await page.keyboard.press('*');
  await message(page, 'weft').getByRole('button', { name: 'Remove the star' }).waitFor();
  await page.keyboard.press('>');
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await page.waitForFunction(() => (document.activeElement as HTMLTextAreaElement | null)?.value?.includes('weft'));
  assert.match(await box.inputValue(), /@_\*\*Bob \d+\|\d+\*\* \[said\]\(.*near\/\d+\):\n```quote\nweft\n```/);

  let menu = await menuOf(page, 'weft');
  await checkAccessibility(page, 'the menu of a message', { part: 'overlays' });
  await menu.getByRole('menuitem', { name: 'Copy link' }).click();
  await page.getByText('Link copied').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(`near/${ids[1]}$`));

  const { result: _, ...read } = await ada.client.ok('POST', '/messages/flags', {
    messages: JSON.stringify(ids),
    op: 'add',
    flag: 'read',
  });
  assert.ok(read);
  await world.settled(page);
  menu = await menuOf(page, 'weft');
  await menu.getByRole('menuitem', { name: 'Mark as unread from here' }).click();
  await page.waitForFunction(() => document.title.startsWith('(2)'));

  menu = await menuOf(page, 'warp');
  await menu.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete message' }).click();
  await message(page, 'warp').waitFor({ state: 'detached' });
});

world.test('messages move to another topic, with their number shown; a topic is resolved and muted', async () => {
  const { open } = await conversation('one', 'two', 'three');
  const page = await open();
  await message(page, 'two').focus();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Move messages' });
  await dialog.getByText('This concerns 2 messages.').waitFor();
  await checkAccessibility(page, 'the move of messages', { part: 'overlays' });
  await dialog.getByRole('combobox', { name: 'Topic' }).fill('spindles');
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await message(page, 'three').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show them' }).click();
  await message(page, 'three').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().click();
  await page.getByRole('menuitem', { name: 'Mark as resolved' }).click();
  await page.getByText('Topic marked as resolved').waitFor();
});

world.test('on a phone, a long touch opens the actions in a sheet', async () => {
  const { open } = await conversation('touch me', 'the reply');
  const page = await open({ device: 'phone' });
  await message(page, 'the reply').waitFor();
  await page.evaluate(() => {
    const target = [...document.querySelectorAll('article')].at(-1);
    target?.dispatchEvent(new PointerEvent('contextmenu', { pointerType: 'touch', bubbles: true, cancelable: true }));
  });
  const sheet = page.getByRole('dialog', { name: 'Message actions' });
  await sheet.waitFor();
  await checkAccessibility(page, 'the sheet of actions', { part: 'overlays' });
  await sheet.getByRole('button', { name: 'React with :tada:' }).click();
  await message(page, 'the reply').getByRole('button', { name: 'You reacted with :tada:' }).waitFor();
  await message(page, 'the reply').getByRole('button', { name: 'Add a reaction' }).click();
  await page.getByRole('combobox', { name: 'Search emoji' }).fill('octop');
  await page.getByRole('gridcell', { name: 'octopus' }).click();
  await message(page, 'the reply').getByRole('button', { name: 'You reacted with :octopus:' }).waitFor();
});

world.test('the menu of a message works by keyboard, and Escape returns the focus to the message', async () => {
  const { open } = await conversation('warp', 'weft');
  const page = await open();
  const target = message(page, 'weft');
  const focus = page.locator(':focus');
  await target.focus();
  await page.keyboard.press('i');
  const menu = page.getByRole('menu', { name: 'Message actions' });
  const items = menu.getByRole('menuitem');
  await menu.and(focus).waitFor();
  await page.keyboard.press('ArrowDown');
  await items.first().and(focus).waitFor();
  await page.keyboard.press('ArrowDown');
  await items.nth(1).and(focus).waitFor();
  await page.keyboard.press('End');
  await items.last().and(focus).waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await target.and(focus).waitFor();
  await page.keyboard.press('i');
  await menu.and(focus).waitFor();
  await page.keyboard.type('star');
  await items.filter({ hasText: 'Star' }).and(focus).waitFor();
  await page.keyboard.press('Enter');
  await target.getByRole('button', { name: 'Remove the star' }).waitFor();
});

world.test('a dialog from a menu returns the focus to where the menu was opened', async () => {
  const { open } = await conversation('warp', 'weft');
  const page = await open();
  const target = message(page, 'weft');
  const focus = page.locator(':focus');
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const closed = async () => {
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  for (const name of [/^Remind me/, /^View read receipts/, /^Move messages/]) {
    await target.focus();
    await page.keyboard.press('i');
    await page.getByRole('menu').and(focus).waitFor();
    await page.getByRole('menuitem', { name }).press('Enter');
    await closed();
    await target.and(focus).waitFor();
  }
  const button = page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first();
  await button.press('Enter');
  await page.getByRole('menuitem', { name: /^Move or rename/ }).press('Enter');
  await closed();
  await button.and(focus).waitFor();
});

world.test('after the message with the focus was deleted, the focus is in the main part', async () => {
  const { open } = await conversation('warp', 'weft', 'my own words');
  const page = await open();
  await message(page, 'my own words').focus();
  await page.keyboard.press('i');
  await page.getByRole('menu').and(page.locator(':focus')).waitFor();
  await page.getByRole('menuitem', { name: /^Delete/ }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete message' }).press('Enter');
  await message(page, 'my own words').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.closest('main') !== null);
});

world.test('the picker of emoji works by arrows and Enter, and Escape returns the focus to the message', async () => {
  const { open } = await conversation('warp', 'weft');
  const page = await open();
  const target = message(page, 'weft');
  const search = page.getByRole('combobox', { name: 'Search emoji' });
  await target.focus();
  await page.keyboard.press(':');
  await search.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  await target.and(page.locator(':focus')).waitFor();
  await page.keyboard.press(':');
  await search.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('octop');
  await page.getByRole('gridcell', { name: 'octopus' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await target.getByRole('button', { name: /^You reacted with/ }).waitFor();
});

world.test('a report reaches the moderators with its reason', async () => {
  const { open } = await conversation('my own words', 'buy cheap yarn');
  const office = await world.server.emptyChannel(world.owner.client, 'moderators', { invite_only: true });
  await world.owner.client.ok('PATCH', '/realm', { moderation_request_channel_id: office });
  const page = await open();
  await (await menuOf(page, 'buy cheap yarn')).getByRole('menuitem', { name: 'Report…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report this message' });
  await dialog.getByRole('radio', { name: 'Something else' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Report', exact: true }).click();
  await dialog.getByText('Describe the problem, so that the moderators understand it.').waitFor();
  await checkAccessibility(page, 'the report of a message', { part: 'overlays' });
  await dialog.getByRole('textbox', { name: 'Description' }).fill('it sells yarn');
  await dialog.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByText('The moderators have your report.').waitFor();
  const narrow = [{ operator: 'channel', operand: office }];
  const query = { narrow, anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
  await until(async () => {
    const { messages } = await world.owner.client.ok('GET', '/messages', query);
    return /it sells yarn/.test(String(messages.at(-1)?.content));
  }, 'the report in the channel of the moderators');
});

world.test('a person sets a reminder of a message and removes it', async () => {
  const { open, ada, ids } = await conversation('warp', 'weft');
  const page = await open();
  const dialog = page.getByRole('dialog', { name: 'Remind me' });
  await (await menuOf(page, 'weft')).getByRole('menuitem', { name: 'Remind me…' }).click();
  await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill('wind the bobbin');
  await dialog.getByRole('button', { name: 'Set reminder' }).click();
  await page.getByText('You will be reminded').waitFor();
  const { reminders } = await ada.client.ok('GET', '/reminders');
  assert.deepEqual(
    reminders.map((one: { reminder_target_message_id: number }) => one.reminder_target_message_id),
    [ids[1]],
  );
  await (await menuOf(page, 'weft')).getByRole('menuitem', { name: 'Remind me…' }).click();
  const existing = dialog.getByRole('region', { name: 'Your reminders of this message' });
  await existing.getByRole('button', { name: /^Remove the reminder/ }).click();
  await existing.waitFor({ state: 'detached' });
});
