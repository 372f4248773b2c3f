/** The whole day of a team: one person at a desk, one on the way with a phone, and a bot. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserWorld, type Person } from './browser-world.ts';
import { messageOf } from './scenes.ts';

const world = browserWorld();

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

async function send(page: Page, text: string): Promise<void> {
  await boxOf(page).fill(text);
  await boxOf(page).press('Control+Enter');
  await messageOf(page, text).waitFor();
}

/** Ada creates a public channel with Bob, and opens a topic in it. */
async function createChannel(desk: Page, channel: string, bob: Person): Promise<void> {
  await desk.keyboard.press('Control+k');
  await desk.getByRole('combobox', { name: 'Go to' }).fill('create channel');
  await desk
    .getByRole('option', { name: /Create (a )?channel/ })
    .first()
    .click();
  await desk.getByRole('textbox', { name: 'Name' }).fill(channel);
  await desk.getByRole('combobox', { name: 'Members' }).fill(bob.name);
  await desk.getByRole('option', { name: bob.name }).click();
  await desk.keyboard.press('Escape');
  await desk.getByRole('button', { name: 'Create channel' }).click();
  await desk.getByRole('heading', { level: 1, name: channel }).waitFor();
}

world.test('a team works a whole day: at a desk, on a phone, and with a bot', async () => {
  const [ada, bob] = [await world.user({ name: 'Ada Weaver' }), await world.user({ name: 'Bob Dyer' })];
  const bot = await world.bot({
    name: 'Loom Bot',
    onMessage: ({ content }, reply) => reply(content.includes('deploy') ? 'Deployed **version 7**' : 'I can deploy.'),
  });
  const desk = await world.open(ada, '#inbox');

  // Morning: a channel for the project, and the first message in a topic.
  await createChannel(desk, 'spring collection', bob);
  await desk.keyboard.press('c');
  const topic = desk.getByRole('combobox', { name: 'Topic' });
  await topic.fill('looms');
  await topic.press('Enter');
  await send(desk, 'Good morning! Which loom is free?');

  // On the way: the phone shows what is unread.
  const phone = await world.open(bob, '#inbox', { device: 'phone', theme: 'dark' });
  await phone
    .getByRole('main')
    .getByRole('link', { name: /^looms/ })
    .tap();
  await messageOf(phone, 'Which loom is free?').waitFor();
  await boxOf(phone).pressSequentially('The big');
  await desk.getByText('Bob Dyer is typing…').waitFor();
  await boxOf(phone).fill('The big one by the window');
  await phone.getByRole('button', { name: 'Send', exact: true }).tap();
  await messageOf(desk, 'The big one by the window').waitFor();

  // A reaction, an edit and a star are on the other screen at once.
  await messageOf(desk, 'The big one').focus();
  await desk.keyboard.press('+');
  await messageOf(phone, 'The big one').getByRole('button', { name: 'Ada Weaver reacted with :+1:' }).waitFor();
  await messageOf(desk, 'Which loom is free?').focus();
  await desk.keyboard.press('e');
  const edited = desk.getByRole('textbox', { name: 'Edit message' });
  await edited.fill('Good morning! Which loom can I use?');
  await edited.press('Control+Enter');
  await messageOf(phone, 'Which loom can I use?').waitFor();
  await messageOf(desk, 'The big one').focus();
  await desk.keyboard.press('*');

  // Noon: files and a poll.
  const notes = { name: 'pattern.txt', mimeType: 'text/plain', buffer: Buffer.from('warp and weft') };
  await desk.getByLabel('Files', { exact: true }).setInputFiles([notes]);
  await desk.waitForFunction(() => document.querySelector('textarea')?.value.includes('(/user_uploads/'));
  await boxOf(desk).press('Control+Enter');
  await phone.getByRole('article').getByRole('link', { name: 'pattern.txt' }).first().waitFor();
  await boxOf(desk).fill('/poll Lunch?\nSoup\nBread');
  await boxOf(desk).press('Control+Enter');
  await phone.getByRole('button', { name: /Soup/ }).tap();
  await desk.getByRole('button', { name: /Soup/ }).filter({ hasText: '1' }).waitFor();

  // Afternoon: the bot is mentioned. It does not see the channel until Ada subscribes it.
  await boxOf(desk).fill('@**Loom Bot** please deploy');
  await desk.getByRole('button', { name: 'Subscribe Loom Bot' }).click();
  await desk.getByText('Loom Bot is not subscribed').waitFor({ state: 'detached' });
  await boxOf(desk).press('Control+Enter');
  await messageOf(phone, 'Deployed version 7').waitFor();
  assert.equal(bot.session.status.state, 'live');

  // The phone has no network for a while. What Bob writes is sent afterwards.
  world.expectProblems(/no response:|ERR_INTERNET_DISCONNECTED/);
  await phone.context().setOffline(true);
  await boxOf(phone).fill('I am in the train');
  await phone.getByRole('button', { name: 'Send', exact: true }).tap();
  await messageOf(phone, 'I am in the train').waitFor();
  await send(desk, 'See you at three');
  await phone.context().setOffline(false);
  await messageOf(desk, 'I am in the train').waitFor();
  await messageOf(phone, 'See you at three').waitFor();

  // A private word, and the number of unread messages in the title.
  await phone.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /Inbox/ }).tap();
  await desk.keyboard.press('Escape');
  await desk.keyboard.press('x');
  const people = desk.getByRole('combobox', { name: 'People' });
  await people.pressSequentially('Bob');
  await desk.getByRole('option', { name: 'Bob Dyer' }).waitFor();
  await people.press('Enter');
  await people.press('Enter');
  await send(desk, 'Thank you for the loom');
  await phone
    .getByRole('main')
    .getByRole('link', { name: /Ada Weaver/ })
    .tap();
  await messageOf(phone, 'Thank you for the loom').waitFor();

  // Evening: the topic is done. The star leads back to the message, and the search finds it.
  await desk.goto(`${world.url}/#narrow/is/starred`);
  await messageOf(desk, 'The big one').waitFor();
  await desk.keyboard.press('/');
  const search = desk.getByRole('combobox', { name: 'Search' });
  await search.fill('window');
  await search.press('Enter');
  await messageOf(desk, 'The big one').waitFor();
  await desk
    .getByRole('article')
    .getByRole('link', { name: /looms/ })
    .or(desk.getByRole('main').getByRole('link', { name: /looms/ }))
    .first()
    .click();
  await desk.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().click();
  await desk.getByRole('menuitem', { name: 'Mark as resolved' }).click();
  await desk.getByText('Topic marked as resolved').waitFor();

  // Both screens equal those of a new visit.
  const { messages } = await ada.client.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [{ operator: 'search', operand: 'train' }],
  });
  assert.equal(messages.length, 1, 'the message of the train was sent once');
});
