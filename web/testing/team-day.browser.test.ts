/** The whole day of a team: Ada at a desktop, Bob with a phone, and a bot that answers. */
import assert from 'node:assert/strict';
import { checkAccessibility } from './axe.ts';
import { browserWorld } from './browser-world.ts';
import { messageOf } from './scenes.ts';
import { assertSameAsFresh, boxOf } from './views.ts';

const world = browserWorld();

/** React Aria announces a button that changed by the ids of its texts, which are gone a moment later. */
const without = ['role-img-alt'];

world.test('a team works a whole day: two people, a phone and a bot', async () => {
  const ada = await world.user({ name: 'Ada Weaver' });
  const bob = await world.user({ name: 'Bob Dyer' });
  const bot = await world.bot({
    name: 'Stock Bot',
    owner: ada,
    onMessage: ({ content }, reply) => content.includes('Stock Bot') && reply('There are **12 spools** of blue.'),
  });

  // In the morning, Ada creates a channel for the two and writes the first message.
  const desktop = await world.open(ada, '#channels/new');
  await desktop.getByRole('textbox', { name: 'Name' }).fill('loom room');
  await desktop.getByRole('combobox', { name: 'Members' }).fill('Bob');
  await desktop.getByRole('option', { name: 'Bob Dyer' }).click();
  await desktop.keyboard.press('Escape');
  await desktop.getByRole('button', { name: 'Create channel' }).click();
  await desktop.waitForURL(/#narrow\/channel\/\d+-loom-room/);
  await desktop.getByRole('button', { name: 'New topic in #loom room' }).click();
  await desktop.getByRole('combobox', { name: 'Topic' }).fill('blue scarf');
  await boxOf(desktop).fill('Good morning! Who dyes the wool?');
  await boxOf(desktop).press('Control+Enter');
  await messageOf(desktop, 'Who dyes the wool?').waitFor();

  // Bob finds it in the inbox of his phone, reacts and answers.
  const phone = await world.open(bob, '#inbox', { device: 'phone' });
  await phone
    .getByRole('main')
    .getByRole('link', { name: /blue scarf/ })
    .click();
  await messageOf(phone, 'Who dyes the wool?').waitFor();
  // A long touch.
  await messageOf(phone, 'Who dyes the wool?').evaluate((message) =>
    message.dispatchEvent(new PointerEvent('contextmenu', { pointerType: 'touch', bubbles: true, cancelable: true })),
  );
  const sheet = phone.getByRole('dialog', { name: 'Message actions' });
  await sheet.getByRole('button', { name: 'React with :+1:' }).click();
  await boxOf(phone).fill('I do. @**Stock Bot** how much blue is left?');
  await phone.getByRole('button', { name: 'Send', exact: true }).click();

  // The bot answers in the same topic. Both see it.
  await messageOf(phone, 'There are 12 spools of blue.').waitFor();
  await messageOf(desktop, 'There are 12 spools of blue.').waitFor();
  await messageOf(desktop, 'Who dyes the wool?').getByRole('button', { name: 'Bob Dyer reacted with :+1:' }).waitFor();

  // Bob sends a picture, and Ada opens it.
  const chooser = phone.waitForEvent('filechooser');
  await phone.getByRole('button', { name: 'Attach files' }).click();
  const buffer = await phone.screenshot();
  await (await chooser).setFiles([{ name: 'colours.png', mimeType: 'image/png', buffer }]);
  await phone.waitForFunction(() => document.querySelector('textarea')?.value.includes('(/user_uploads/'));
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await messageOf(desktop, 'colours.png').getByRole('link', { name: 'colours.png' }).last().click();
  await desktop.getByRole('dialog', { name: 'colours.png' }).waitFor();
  await desktop.keyboard.press('Escape');

  // Ada corrects her message and renames the topic. The phone follows.
  await messageOf(desktop, 'Who dyes the wool?').focus();
  await desktop.keyboard.press('e');
  await desktop.getByRole('textbox', { name: 'Edit message' }).fill('Good morning! Who dyes the wool today?');
  await desktop.keyboard.press('Control+Enter');
  await messageOf(phone, 'the wool today?').getByText('Edited').waitFor();
  await desktop.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().click();
  await desktop.getByRole('menuitem', { name: /Move or rename/ }).click();
  const rename = desktop.getByRole('dialog', { name: 'Move or rename the topic' });
  await rename.getByRole('combobox', { name: 'Topic' }).fill('blue scarf for Mia');
  await rename.getByRole('button', { name: 'Move', exact: true }).click();
  await phone.getByRole('heading', { name: /blue scarf for Mia/ }).waitFor();

  // A direct message reaches Ada while she reads. She answers from the conversation list.
  await phone.goto(`${world.url}/#narrow/dm/${ada.client.userId}-dm`);
  await boxOf(phone).fill('Lunch at one?');
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  const conversations = desktop.getByRole('navigation', { name: 'Conversations' });
  await conversations.getByRole('link', { name: /Bob Dyer.*1 unread/ }).click();
  await messageOf(desktop, 'Lunch at one?').waitFor();
  await boxOf(desktop).fill('Yes, gladly.');
  await boxOf(desktop).press('Control+Enter');
  await messageOf(phone, 'Yes, gladly.').waitFor();

  // In the evening, Ada finds the colours again, stars them, and resolves the topic.
  await desktop.keyboard.press('Escape');
  await desktop.keyboard.press('/');
  // The search begins in the open conversation.
  await desktop.keyboard.press('Backspace');
  await desktop.keyboard.type('spools');
  await desktop.keyboard.press('Enter');
  await messageOf(desktop, 'There are 12 spools of blue.').focus();
  await desktop.keyboard.press('*');
  await messageOf(desktop, '12 spools').getByRole('button', { name: 'Remove the star' }).waitFor();
  await conversations.getByRole('link', { name: /Starred messages.*1/ }).click();
  await messageOf(desktop, 'There are 12 spools of blue.').waitFor();
  await desktop.goBack();
  await desktop.goBack();
  await conversations.getByRole('link', { name: /loom room/ }).click();
  await desktop.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().click();
  await desktop.getByRole('menuitem', { name: 'Mark as resolved' }).click();
  await desktop.getByText('Topic marked as resolved').waitFor();
  await checkAccessibility(desktop, 'the desktop in the evening', { without });
  await checkAccessibility(phone, 'the phone in the evening', { without });

  // Both see what a fresh page shows, and nothing was sent twice.
  await assertSameAsFresh(world, ada, desktop);
  const narrow = [{ operator: 'channel', operand: 'loom room' }];
  const query = { narrow, anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false };
  const { messages } = await bob.client.ok('GET', '/messages', query);
  const senders = messages.map(({ sender_full_name }: { readonly sender_full_name: string }) => sender_full_name);
  const people = senders.filter((name: string) => name !== 'Notification Bot');
  assert.deepEqual(people, ['Ada Weaver', 'Bob Dyer', bot.name, 'Bob Dyer']);

  // Ada goes home.
  await desktop.getByRole('button', { name: 'Your account: Ada Weaver' }).click();
  await desktop.getByRole('menuitem', { name: 'Log out' }).click();
  await desktop.getByRole('button', { name: 'Log in' }).waitFor();
  world.forgetLogin(ada);
});
