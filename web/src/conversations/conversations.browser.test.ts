import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld, type Person } from '../../testing/browser-world.ts';

const world = browserWorld();

/** Creates a channel with these subscribers. Returns its id. */
async function channel(
  name: string,
  people: readonly Person[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const { client } = world.owner;
  const principals = people.map((person) => person.client.userId);
  await client.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more });
  const { stream_id: id } = await client.ok('GET', '/get_stream_id', { stream: name });
  return Number(id);
}

async function say(person: Person, channelId: number, topic: string, content: string): Promise<number> {
  const { id } = await person.client.ok('POST', '/messages', { type: 'channel', to: channelId, topic, content });
  return Number(id);
}

world.test(
  'the inbox shows what is unread by person, channel and topic, and the keyboard alone is enough',
  async () => {
    const [ada, bo] = [await world.user({ name: 'Ada Inbox' }), await world.user({ name: 'Bo Inbox' })];
    const id = await channel('inbox looms', [ada, bo]);
    await say(bo, id, 'warp', 'one');
    await say(bo, id, 'warp', '@**Ada Inbox** two');
    await say(bo, id, 'weft', 'three');
    await bo.client.direct([ada.client.userId], 'hello');
    const page = await world.open(ada, '#inbox');
    const inbox = page.getByRole('list', { name: 'Unread conversations' });
    await inbox.getByRole('link', { name: /^warp .*mentions you.*2 unread messages/ }).waitFor();
    await inbox.getByRole('link', { name: /Bo Inbox.*1 unread message/ }).waitFor();

    // Down from the heading of the direct messages to Bo.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const focused = page.locator(':focus');
    await focused.filter({ hasText: 'Bo Inbox' }).waitFor();
    // Left goes to the heading, and left again closes it.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await inbox.getByRole('link', { name: /Bo Inbox/ }).waitFor({ state: 'detached' });
    await page.reload();
    await inbox.getByRole('link', { name: /^warp/ }).waitFor();
    await world.settled(page);
    await untilEqual(() => inbox.getByRole('link', { name: /Bo Inbox/ }).count(), 0, 'the section stays closed');

    await checkAccessibility(page, 'the inbox', { part: 'main' });
    await inbox.getByRole('button', { name: 'Mark inbox looms › weft as read' }).click();
    await inbox.getByRole('link', { name: /^weft/ }).waitFor({ state: 'detached' });
    await inbox.getByRole('link', { name: /^warp/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'inbox looms › warp' }).waitFor();
    await page.getByText('one', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  },
);

world.test('recent conversations are a live table that one can sort and filter', async () => {
  const [ada, bo] = [await world.user({ name: 'Ada Recent' }), await world.user({ name: 'Bo Recent' })];
  const id = await channel('recent looms', [ada, bo]);
  await say(bo, id, 'zebra', 'first');
  await say(bo, id, 'antelope', 'second');
  const page = await world.open(ada, '#recent');
  const names = page
    .getByRole('table')
    .getByRole('row')
    .getByRole('link', { name: /^(zebra|antelope)/ });
  await names.nth(1).waitFor();
  await world.settled(page);
  await untilEqual(() => names.allTextContents(), ['antelope', 'zebra']);
  await say(bo, id, 'zebra', 'third');
  await page.waitForFunction(() => document.querySelector('[role=table] a[data-primary]')?.textContent === 'zebra');
  await page.getByRole('columnheader', { name: 'Conversation' }).getByRole('button').click();
  await page.waitForFunction(() => document.querySelector('[role=table] a[data-primary]')?.textContent === 'antelope');
  const antelope = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'antelope' }) });
  await antelope.hover();
  const read = antelope.getByRole('button', { name: /^Mark .* as read/ });
  const [ofRow, ofRead] = [await antelope.boundingBox(), await read.boundingBox()];
  assert(ofRow !== null && ofRead !== null);
  const offCentre = ofRead.y + ofRead.height / 2 - ofRow.y - ofRow.height / 2;
  assert(Math.abs(offCentre) <= 1, `the button is ${offCentre} pixels below the middle of the row`);
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('zeb');
  await page.getByRole('link', { name: 'antelope' }).waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('');
  await page.getByRole('button', { name: 'Participated' }).click();
  await page.getByText('No conversation matches.').waitFor();
  await page.getByRole('button', { name: 'Participated' }).click();
  await checkAccessibility(page, 'recent conversations', { part: 'main' });
});

world.test('the channel list has folders, pins and topics, and finds what one types', async () => {
  const [ada, bo] = [await world.user({ name: 'Ada Channels' }), await world.user({ name: 'Bo Channels' })];
  const pinned = await channel('list news', [ada, bo]);
  const inFolder = await channel('list design', [ada, bo]);
  await channel('list secrets', [ada], { invite_only: true });
  const { channel_folder_id } = await world.owner.client.ok('POST', '/channel_folders/create', {
    name: 'Atelier',
    description: '',
  });
  await world.owner.client.ok('PATCH', `/streams/${inFolder}`, { folder_id: channel_folder_id });
  const pin = { stream_id: pinned, property: 'pin_to_top', value: true };
  await ada.client.ok('POST', '/users/me/subscriptions/properties', { subscription_data: [pin] });
  for (let topic = 1; topic <= 9; topic += 1) await say(bo, inFolder, `pattern ${topic}`, 'look');
  await say(bo, inFolder, '✔ dye', 'done');

  const page = await world.open(ada, '#recent');
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('button', { name: 'Pinned channels' }).waitFor();
  await list.getByRole('button', { name: 'Atelier' }).waitFor();
  const design = list.getByRole('link', { name: /^list design.*11 unread/ });
  await design.focus();
  await page.keyboard.press('ArrowRight');
  await list.getByRole('link', { name: /^pattern 9.*1 unread/ }).waitFor();
  await design.click();
  // A click opens the newest topic, unless the user chose otherwise.
  await page.getByRole('heading', { level: 1, name: /^list design › .*dye/ }).waitFor();
  await page.waitForFunction(() => document.querySelector('nav [aria-current=page]')?.textContent?.includes('dye'));

  await page.keyboard.press('q');
  await page.getByRole('searchbox', { name: 'Filter conversations' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('secr');
  await list.getByRole('link', { name: /^list secrets/ }).waitFor();
  await untilEqual(() => list.getByRole('link', { name: /^list design/ }).count(), 0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await list.getByRole('button', { name: 'Show all topics' }).click();
  await page.getByRole('radio', { name: 'Resolved', exact: true }).click();
  await page.getByRole('list', { name: 'Topics' }).getByRole('link', { name: /dye/ }).waitFor();
  await page.getByRole('radio', { name: 'All', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Filter topics' }).fill('pattern 3');
  await page.getByRole('list', { name: 'Topics' }).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'list design › pattern 3' }).waitFor();
  await checkAccessibility(page, 'a topic with its channel list');
});

world.test('direct messages of two and of groups are in the sidebar, the newest first', async () => {
  const [ada, bo, cy] = [
    await world.user({ name: 'Ada Direct' }),
    await world.user({ name: 'Bo Direct' }),
    await world.user({ name: 'Cy Direct' }),
  ];
  await bo.client.direct([ada.client.userId, cy.client.userId], 'the three of us');
  const page = await world.open(ada, '#recent');
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('link', { name: /^Bo Direct, Cy Direct.*1 unread/ }).waitFor();
  await cy.client.direct([ada.client.userId], 'only us');
  await list.getByRole('link', { name: /^(?!.*Bo Direct).*Cy Direct 1 unread/ }).waitFor();
  const names = await list.getByRole('link', { name: /Direct/ }).allTextContents();
  assert.match(names.find((name) => name.includes('Direct')) ?? '', /^(?!.*Bo Direct).*Cy Direct/);
  await list.getByRole('link', { name: /^Bo Direct, Cy Direct/ }).click();
  await page.getByText('the three of us').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Bo Direct, Cy Direct' }).waitFor();
});

world.test('drafts, scheduled messages and reminders are views; deleting can be undone', async () => {
  const ada = await world.user({ name: 'Ada Views' });
  const id = await channel('views', [ada]);
  const inAnHour = Math.floor(Date.now() / 1000) + 3600;
  const when = { scheduled_delivery_timestamp: inAnHour };
  await ada.client.ok('POST', '/scheduled_messages', {
    type: 'channel',
    to: id,
    topic: 'later',
    content: 'sent later',
    ...when,
  });
  const messageId = await say(ada, id, 'now', 'remember this');
  await ada.client.ok('POST', '/reminders', { message_id: messageId, ...when, note: 'do it' });
  await ada.client.ok('POST', '/drafts', {
    drafts: [{ type: 'stream', to: [id], topic: 'half', content: 'a half text', timestamp: inAnHour - 7200 }],
  });

  const page = await world.open(ada, '#scheduled');
  const scheduled = page.getByRole('list', { name: 'Scheduled messages' });
  await scheduled.getByText('sent later').waitFor();
  await checkAccessibility(page, 'scheduled messages', { part: 'main' });
  await scheduled.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing is scheduled.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await scheduled.getByText('sent later').waitFor();

  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: /^Reminders/ })
    .click();
  const reminders = page.getByRole('list', { name: 'Reminders' });
  await reminders.getByText('do it').waitFor();
  await reminders.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No reminders').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await reminders.getByText('do it').waitFor();

  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: /^Drafts/ })
    .click();
  await page.getByRole('list', { name: 'Drafts' }).getByText('a half text').waitFor();
  await checkAccessibility(page, 'drafts', { part: 'main' });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'views › half' }).waitFor();
  const box = page.getByRole('main').getByRole('textbox').last();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('textarea')].some((one) => one.value === 'a half text'),
  );
  await untilEqual(() => box.inputValue(), 'a half text');
});

world.test('a deleted scheduled message that cannot come back is in the compose box', async () => {
  const ada = await world.user({ name: 'Ada Keeps' });
  await ada.client.ok('POST', '/scheduled_messages', {
    type: 'direct',
    to: [ada.client.userId],
    content: 'not lost',
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
  });
  const page = await world.open(ada, '#scheduled');
  await page.getByRole('list', { name: 'Scheduled messages' }).getByRole('button', { name: 'Delete' }).click();
  world.expectProblems(/POST .*\/scheduled_messages/);
  await page.route(/\/json\/scheduled_messages$/, (request) => request.abort());
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The message could not be scheduled again.').waitFor();
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await until(async () => (await box.inputValue()) === 'not lost', 'the text in the box');
});

world.test('a scheduled message is sent now, once, also if the response to the first request is lost', async () => {
  const ada = await world.user({ name: 'Ada Doubts' });
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 3600;
  const message = { type: 'direct', to: [ada.client.userId], content: 'perhaps later', scheduled_delivery_timestamp };
  await ada.client.ok('POST', '/scheduled_messages', message);
  const page = await world.open(ada, '#scheduled');
  const scheduled = page.getByRole('list', { name: 'Scheduled messages' });
  await scheduled.getByText('perhaps later').waitFor();
  world.expectProblems(/DELETE .*\/scheduled_messages/);
  // The server does it, and its response is lost.
  await page.route(/\/json\/scheduled_messages\/\d+$/, async (request) => {
    await request.fetch();
    await request.abort();
  });
  await scheduled.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('The message was sent.').waitFor();
  const sent = async () => {
    const { messages } = await ada.client.ok('GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0 });
    return messages.filter(({ content }: { content: string }) => content.includes('perhaps later')).length;
  };
  await until(async () => (await sent()) === 1, 'the message');
  assert.deepEqual((await ada.client.ok('GET', '/scheduled_messages')).scheduled_messages, []);
});

world.test(
  'to undo the edit of a scheduled message takes the text out of the compose box, unless it has changed',
  async () => {
    const ada = await world.user({ name: 'Ada Undoes' });
    const id = await channel('undo', [ada]);
    const inAnHour = Math.floor(Date.now() / 1000) + 3600;
    await ada.client.ok('POST', '/scheduled_messages', {
      type: 'channel',
      to: id,
      topic: 'later',
      content: 'only once',
      scheduled_delivery_timestamp: inAnHour,
    });
    const scheduledContents = async () => {
      const { scheduled_messages } = await ada.client.ok('GET', '/scheduled_messages');
      return scheduled_messages.map(({ content }: { content: string }) => content);
    };
    const page = await world.open(ada, '#scheduled');
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    const views = page.getByRole('list', { name: 'Conversations' });
    const edit = async () => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      // A notice below the pointer stays.
      await page.getByRole('button', { name: 'Undo', exact: true }).hover();
      await page.getByRole('heading', { level: 1, name: 'undo › later' }).waitFor();
      await page.waitForFunction(() => [...document.querySelectorAll('textarea')].some(({ value }) => value !== ''));
      await untilEqual(() => box.inputValue(), 'only once');
    };
    await edit();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('A message to this conversation is scheduled').waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll('textarea')].every(({ value }) => value === ''));
    assert.deepEqual(await scheduledContents(), ['only once']);
    await views.getByRole('link', { name: /^Drafts/ }).click();
    await page.getByText('No drafts').waitFor();

    // From another view, the text is only a draft.
    await views.getByRole('link', { name: /^Scheduled/ }).click();
    await edit();
    await views.getByRole('link', { name: /^Drafts/ }).click();
    await page.getByRole('list', { name: 'Drafts' }).getByText('only once').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('No drafts').waitFor();
    await until(async () => (await scheduledContents()).join() === 'only once', 'the message to be scheduled again');

    await views.getByRole('link', { name: /^Scheduled/ }).click();
    await edit();
    await box.fill('only once, but better');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('You have changed or sent the message since.').waitFor();
    await untilEqual(() => box.inputValue(), 'only once, but better');
    assert.deepEqual(await scheduledContents(), []);
  },
);

world.test('the user decides which views are in the sidebar', async () => {
  const ada = await world.user({ name: 'Ada Pins' });
  const page = await world.open(ada, '#inbox');
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('link', { name: 'Starred messages' }).waitFor();
  await list.getByRole('button', { name: 'More views' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Starred messages' }).click();
  await list.getByRole('link', { name: 'Starred messages' }).waitFor({ state: 'detached' });
  await page.getByRole('menuitemcheckbox', { name: 'Reactions to my messages' }).click();
  await page.keyboard.press('Escape');
  await list.getByRole('link', { name: 'Reactions to my messages' }).waitFor();
  const stored = await until(async () => {
    const { navigation_views: views } = await ada.client.ok('GET', '/navigation_views');
    return views.length === 2 && views;
  }, 'both changes on the server');
  assert.deepEqual(stored, [
    { fragment: 'narrow/is/starred', is_pinned: false, name: null },
    { fragment: 'narrow/has/reaction/sender/me', is_pinned: true, name: null },
  ]);
});

world.test('the title shows the number of unread messages, and keys lead to the next unread ones', async () => {
  const [ada, bo] = [await world.user({ name: 'Ada Keys' }), await world.user({ name: 'Bo Keys' })];
  const id = await channel('keys', [ada, bo]);
  await say(bo, id, 'first', 'one');
  await say(bo, id, 'second', 'two');
  const page = await world.open(ada, '#inbox');
  await page.waitForFunction(() => document.title.startsWith('(3) Inbox'));
  // The third one announces the channel.
  await bo.client.direct([ada.client.userId], 'hi');
  await page.waitForFunction(() => document.title.startsWith('(4) Inbox'));
  await page.keyboard.press('p');
  await page.getByRole('heading', { level: 1, name: 'Bo Keys' }).waitFor();
  await page.locator('body').press('n');
  await page.getByRole('heading', { level: 1, name: 'keys › second' }).waitFor();
});
