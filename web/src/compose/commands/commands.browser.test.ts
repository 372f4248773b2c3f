import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** Types a command as a person does, and presses Enter once the list of suggestions is closed. */
async function run(page: Page, command: string): Promise<void> {
  await field(page).fill(command);
  await field(page).press('Control+Enter');
}

world.test('commands do what they say, and nothing of them is sent as a message', async () => {
  const [ada, bob] = [await world.user({ name: 'Ada Slash' }), await world.user({ name: 'Bob Slash' })];
  const channelId = await world.server.emptyChannel(ada.client, 'commands');
  await ada.client.send(channelId, 'looms', 'the newest message');
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/looms`);
  await page.getByRole('article').filter({ hasText: 'the newest' }).waitFor();

  // What stands behind a slash is offered with what it does.
  await field(page).click();
  await page.keyboard.type('/d');
  await page.getByRole('option', { name: /\/dnd/ }).waitFor();
  await checkAccessibility(page, 'the list of commands', { without: ['aria-required-children', 'heading-order'] });
  await page.keyboard.press('Enter');
  await untilEqual(() => field(page).inputValue(), '/dnd ');
  await page.keyboard.type('2h');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/Notifications are paused until/).waitFor();
  assert.equal(await statusOf(bob.client, ada.client.userId), 'Do not disturb');
  // The command ends what the app knows of.
  await world.settled(page);
  await run(page, '/dnd');
  await page.getByText('You are notified again.').waitFor();
  assert.equal(await statusOf(bob.client, ada.client.userId), undefined);
  await run(page, '/status At lunch');
  await page.getByText('Your status is now “At lunch”.').waitFor();
  assert.equal(await statusOf(bob.client, ada.client.userId), 'At lunch');
  await run(page, '/status');
  await page.getByRole('dialog', { name: 'Set a status' }).waitFor();
  await page.keyboard.press('Escape');

  await run(page, '/remind answer Bob');
  const reminder = page.getByRole('dialog', { name: 'Remind me' });
  await untilEqual(() => reminder.getByRole('textbox', { name: /^Note/ }).inputValue(), 'answer Bob');
  await reminder.getByRole('button', { name: 'Set reminder' }).click();
  await reminder.waitFor({ state: 'detached' });
  const { reminders } = await ada.client.ok('GET', '/reminders');
  assert.match(reminders[0].content, /answer Bob/);

  await run(page, `/invite @**Bob Slash**`);
  await page.getByText('1 person is now in #commands.').or(page.getByText('1 person is now in commands.')).waitFor();
  const { subscriptions } = await bob.client.ok('GET', '/users/me/subscriptions');
  assert(subscriptions.some(({ stream_id }: { stream_id: number }) => stream_id === channelId));

  // A command that is not possible says why and stays in the box.
  await run(page, '/dnd for ever');
  await page.getByText(/Write a time in minutes or hours/).waitFor();
  await untilEqual(() => field(page).inputValue(), '/dnd for ever');

  // Unknown ones are messages, and another slash makes a message of a command.
  await run(page, '/unknown thing');
  await page.getByRole('article').filter({ hasText: '/unknown thing' }).waitFor();
  await run(page, '//status is a command');
  await page
    .getByRole('article')
    .filter({ hasText: /\/status is a command/ })
    .waitFor();
  await world.settled(page);
  const { messages } = await bob.client.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
    narrow: [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: 'looms' },
    ],
  });
  assert.deepEqual(
    messages.map(({ content }: { content: string }) => content),
    ['the newest message', '/unknown thing', '/status is a command'],
  );

  // Later, it is the same: a command is no message, and an escaped one is.
  await field(page).fill('/status Tomorrow');
  await page.getByRole('button', { name: 'Send later' }).click();
  const first = page.getByRole('menuitem').first();
  await first.getByText('The text is a command, not a message.').waitFor();
  await untilEqual(() => first.getAttribute('aria-disabled'), 'true');
  await page.keyboard.press('Escape');
  await field(page).fill('//status Tomorrow');
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('menuitem', { name: 'Tomorrow morning' }).click();
  await page.getByText('The message is scheduled for').waitFor();
  // A notice below the pointer stays.
  await page.getByRole('button', { name: 'Undo' }).hover();
  const { scheduled_messages: later } = await ada.client.ok('GET', '/scheduled_messages');
  assert.deepEqual(
    later.map(({ content }: { content: string }) => content),
    ['/status Tomorrow'],
  );
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await field(page).inputValue()) === '//status Tomorrow', 'the text as it was written');

  await run(page, '/topic release 2');
  await page.getByRole('heading', { level: 1, name: /release 2/ }).waitFor();
  await run(page, 'a first message');
  await page.getByRole('article').filter({ hasText: 'a first message' }).waitFor();
});

world.test('a command finds what it is about, also elsewhere, and never takes just anyone', async () => {
  const ada = await world.user({ name: 'Ada Elsewhere' });
  const twins = [await world.user({ name: 'Cy Twin' }), await world.user({ name: 'Cy Twin' })];
  const channelId = await world.server.emptyChannel(ada.client, 'elsewhere');
  await ada.client.send(channelId, 'looms', 'the warp in a search');
  const newest = await ada.client.send(channelId, 'looms', 'the last word');
  const page = await world.open(ada, '#narrow/search/warp');
  await page.getByRole('article').filter({ hasText: 'in a search' }).focus();
  await page.keyboard.press('r');
  await run(page, '/remind');
  const reminder = page.getByRole('dialog', { name: 'Remind me' });
  await reminder.getByRole('button', { name: 'Set reminder' }).click();
  await reminder.waitFor({ state: 'detached' });
  const { reminders } = await ada.client.ok('GET', '/reminders');
  assert.equal(reminders[0].reminder_target_message_id, newest);

  await run(page, '/invite @**Cy Twin**');
  await page.getByText(/Mention the people that you want to add/).waitFor();
  await run(page, `/invite @**Cy Twin|${twins[1]?.client.userId}**`);
  await page.getByText('1 person is now in #elsewhere.').or(page.getByText('1 person is now in elsewhere.')).waitFor();
  const { subscribers } = await ada.client.ok('GET', `/streams/${channelId}/members`);
  assert.deepEqual(subscribers.toSorted(), [ada.client.userId, twins[1]?.client.userId].toSorted());
});

world.test('a command that the server refuses is a draft where it was written, also if the user has left', async () => {
  const ada = await world.user({ name: 'Ada Leaves' });
  const channelId = await world.server.emptyChannel(ada.client, 'refusals');
  await ada.client.send(channelId, 'knots', 'elsewhere');
  await ada.client.send(channelId, 'looms', 'here');
  world.expectProblems('status 400', 'status of 400');
  const route = `#narrow/channel/${channelId}/topic/looms`;
  const page = await world.open(ada, route);
  const left = Promise.withResolvers<void>();
  await page.route('**/json/users/me/status', async (request) => {
    await left.promise;
    await request.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not now.' } });
  });
  await page.getByRole('article').filter({ hasText: 'here' }).waitFor();
  const asked = page.waitForRequest('**/json/users/me/status');
  await run(page, '/status At lunch');
  await asked;
  await page.evaluate((hash) => location.assign(hash), route.replace('looms', 'knots'));
  await page.getByRole('article').filter({ hasText: 'elsewhere' }).waitFor();
  left.resolve();
  await page.getByText('Not now.').waitFor();
  await untilEqual(() => field(page).inputValue(), '');
  await page.evaluate((hash) => location.assign(hash), route);
  await until(async () => (await field(page).inputValue()) === '/status At lunch', 'the command in the box');
});

world.test('on a phone in German, commands are offered and carried out', async () => {
  const ada = await world.user({ name: 'Ada Befehl' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const channelId = await world.server.emptyChannel(ada.client, 'Befehle');
  await ada.client.send(channelId, 'Webstuhl', 'hallo');
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/Webstuhl`, { device: 'phone' });
  const box = page.getByRole('textbox', { name: 'Nachricht', exact: true });
  await box.click();
  await page.keyboard.type('/sta');
  await page.getByRole('option', { name: /Setzt deinen Status/ }).click();
  await page.keyboard.type('Beim Essen');
  await page.getByRole('button', { name: 'Senden', exact: true }).click();
  await page.getByText('Dein Status ist jetzt „Beim Essen“.').waitFor();
  await untilEqual(() => box.inputValue(), '');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= 390, `${width} px wide`);
});

async function statusOf(
  client: { ok(method: string, path: string): Promise<{ status: { status_text?: string } }> },
  userId: number,
): Promise<string | undefined> {
  return (await client.ok('GET', `/users/${userId}/status`)).status.status_text;
}
