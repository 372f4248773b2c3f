import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { messageOf, sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

world.test('the combined feed, the mentions and the starred messages show what belongs to them, live', async () => {
  const { ada, channelId, write } = await sceneOf(world);
  await write('for everybody');
  await write('in a muted topic', 'noise');
  const mentioned = await write(`@**${ada.name}** look at this`);
  await ada.client.ok('POST', '/user_topics', { stream_id: channelId, topic: 'noise', visibility_policy: 1 });
  const page = await world.open(ada, '#feed');
  await messageOf(page, 'for everybody').waitFor();
  await messageOf(page, 'look at this').waitFor();
  await world.settled(page);
  await untilEqual(() => messageOf(page, 'in a muted topic').count(), 0);
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('link', { name: /^Mentions/ }).click();
  await messageOf(page, 'look at this').waitFor();
  await world.settled(page);
  await untilEqual(() => messageOf(page, 'for everybody').count(), 0);
  await write('@**all** lunch is ready');
  await messageOf(page, 'lunch is ready').waitFor();
  await list.getByRole('link', { name: /^Starred messages/ }).click();
  await page.getByText('No starred messages').waitFor();
  await ada.client.ok('POST', '/messages/flags', { messages: JSON.stringify([mentioned]), op: 'add', flag: 'starred' });
  await messageOf(page, 'look at this').waitFor();
  await list.getByRole('link', { name: /^Starred messages 1/ }).waitFor();
  await messageOf(page, 'look at this').focus();
  await page.keyboard.press('*');
  await page.getByText('No starred messages').waitFor();
});

world.test('an empty conversation invites to write only where one may write', async () => {
  const { ada, bob } = await sceneOf(world);
  const page = await world.open(ada, `#narrow/dm/${bob.client.userId}`);
  await page.getByText('Write the first one below.').waitFor();
  await world.owner.client.ok('DELETE', `/users/${bob.client.userId}`);
  await page.getByText('You cannot write to a deactivated user.').waitFor();
  await page.getByText('Write the first one below.').waitFor({ state: 'detached' });
  await page.getByText(/^No messages with/).waitFor();
});

world.test('the link of a topic that was resolved since leads to its messages', async () => {
  const { ada, bob, route, write } = await sceneOf(world);
  const id = await write('the red thread');
  await bob.client.ok('PATCH', `/messages/${id}`, {
    topic: '✔ looms',
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: false,
  });
  const page = await world.open(ada, route);
  await page.getByRole('button', { name: 'Open “✔ looms”' }).click();
  await messageOf(page, 'the red thread').waitFor();
});

world.test('a muted topic is quiet until it is unmuted, and a followed one is marked', async () => {
  const { ada, route, channel, write } = await sceneOf(world);
  await write('the red thread');
  const page = await world.open(ada, route);
  await messageOf(page, 'the red thread').waitFor();
  const actions = page.getByRole('main').getByRole('button', { name: 'Topic actions' });
  await actions.click();
  await page.getByRole('menuitem', { name: /^Mute/ }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+I');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await write('into the silence');
  await world.settled(page);
  const inbox = page.getByRole('main');
  await inbox.getByText('Nothing new in unmuted conversations').waitFor();
  // The title follows the count after a pause.
  await page.waitForFunction(() => !document.title.startsWith('('));
  await inbox.getByRole('button', { name: 'Show all unread' }).click();
  await inbox.getByRole('link', { name: /^looms/ }).click();
  await page.getByRole('heading', { level: 1, name: `${channel} › looms` }).waitFor();
  await actions.click();
  await page.getByRole('menuitem', { name: /^Unmute/ }).click();
  await actions.click();
  await page.getByRole('menuitem', { name: /^Follow/ }).click();
  const sidebar = page.getByRole('list', { name: 'Conversations' });
  await sidebar.getByRole('link', { name: /^looms.*[Ff]ollow/ }).waitFor();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Stop following' }).waitFor();
});

world.test('messages of a muted person are hidden until one asks for them', async () => {
  const { ada, bob, route, write } = await sceneOf(world);
  await write('the red thread');
  const page = await world.open(ada, route);
  await messageOf(page, 'the red thread').waitFor();
  await ada.client.ok('POST', `/users/me/muted_users/${bob.client.userId}`);
  await messageOf(page, 'the red thread').waitFor({ state: 'detached' });
  const hidden = page.getByRole('article', { name: 'Message of a muted person' });
  await hidden.getByRole('button', { name: 'Show' }).click();
  await messageOf(page, 'the red thread').waitFor();
  await page.getByRole('button', { name: 'Hide the message of a muted person' }).click();
  await messageOf(page, 'the red thread').waitFor({ state: 'detached' });
  await write('does not count');
  await page.getByRole('article', { name: 'Message of a muted person' }).nth(1).waitFor();
  await ada.client.ok('DELETE', `/users/me/muted_users/${bob.client.userId}`);
  await messageOf(page, 'the red thread').waitFor();
  await messageOf(page, 'does not count').waitFor();
});

world.test('one sees who has read a message, and what edits and moves have changed', async () => {
  const { ada, bob, route, channelId } = await sceneOf(world);
  const id = await ada.client.send(channelId, 'looms', 'the red thread is long');
  const page = await world.open(ada, route);
  await messageOf(page, 'the red thread').focus();
  await page.keyboard.press('Shift+V');
  const receipts = page.getByRole('dialog', { name: 'Read receipts' });
  await receipts.getByText('Nobody has read this message yet.').waitFor();
  await page.keyboard.press('Escape');
  await receipts.waitFor({ state: 'detached' });
  await bob.client.ok('POST', '/messages/flags', { messages: JSON.stringify([id]), op: 'add', flag: 'read' });
  await page.getByRole('article').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Shift+V');
  await receipts.getByText('1 person has read this message.').waitFor();
  await receipts.getByRole('link', { name: bob.name }).waitFor();
  await page.keyboard.press('Escape');
  await receipts.waitFor({ state: 'detached' });

  await ada.client.ok('PATCH', `/messages/${id}`, { content: 'the blue thread is long' });
  await world.owner.client.ok('PATCH', `/messages/${id}`, { topic: 'spindles', propagate_mode: 'change_all' });
  await messageOf(page, 'This topic was moved here').waitFor();
  await messageOf(page, 'the blue thread').focus();
  await page.keyboard.press('Shift+H');
  const history = page.getByRole('dialog', { name: 'Edit history' });
  await history.getByText('moved the message').waitFor();
  await history.getByRole('deletion').filter({ hasText: 'red' }).waitFor();
  await history.getByRole('insertion').filter({ hasText: 'blue' }).waitFor();
  await history.getByRole('deletion').filter({ hasText: 'looms' }).waitFor();
  await history.getByRole('insertion').filter({ hasText: 'spindles' }).waitFor();
  await untilEqual(() => history.getByRole('listitem').count(), 3);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.hasAttribute('data-message-id'));
});

world.test(
  'a message that is moved keeps the focus and its dialog, and a message that is deleted closes it',
  async () => {
    const { ada, route, channelId } = await sceneOf(world);
    const id = await ada.client.send(channelId, 'looms', 'the red thread is long');
    const page = await world.open(ada, route);
    const moveTo = async (topic: string) => {
      await world.owner.client.ok('PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' });
    };
    await messageOf(page, 'the red thread').focus();
    await moveTo('spindles');
    await messageOf(page, 'This topic was moved here').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('the red thread'));
    await page.keyboard.press('Shift+H');
    const history = page.getByRole('dialog', { name: 'Edit history' });
    await history.getByRole('insertion').filter({ hasText: 'spindles' }).waitFor();
    await moveTo('bobbins');
    await history.getByRole('insertion').filter({ hasText: 'bobbins' }).waitFor();
    await world.owner.client.ok('DELETE', `/messages/${id}`);
    await history.waitFor({ state: 'detached' });
  },
);
