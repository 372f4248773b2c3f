import assert from 'node:assert/strict';
import { until } from '@heddle/server/testing/server/until.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { messageOf, sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

world.test('before topics merge, the dialog says how many messages join, and that nobody can undo it', async () => {
  const { ada, route, write } = await sceneOf(world);
  for (const text of ['warp', 'weft', 'shuttle']) await write(text);
  await write('wool', 'yarn');
  const page = await world.open(ada, route);
  await messageOf(page, 'shuttle').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().click();
  await page.getByRole('menuitem', { name: /^Move or rename/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Move or rename the topic' });
  await dialog.getByText('This concerns 3 messages.').waitFor();
  await dialog.getByRole('combobox', { name: 'Topic' }).fill('yarn');
  await page.getByRole('option', { name: 'yarn' }).click();
  await dialog.getByText('The topic “yarn” exists already.').waitFor();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await messageOf(page, 'wool').waitFor();
  await messageOf(page, 'shuttle').waitFor();
});

world.test('messages that join a topic under another spelling do not rename it', async () => {
  const { ada, channelId, route, write } = await sceneOf(world);
  await write('warp');
  await write('wool', 'Yarn');
  const page = await world.open(ada, route);
  await messageOf(page, 'warp').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().click();
  await page.getByRole('menuitem', { name: /^Move or rename/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Move or rename the topic' });
  await dialog.getByRole('combobox', { name: 'Topic' }).fill('yarn');
  await page.keyboard.press('Escape');
  await dialog.getByText('The topic “Yarn” exists already.').waitFor();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await messageOf(page, 'wool').waitFor();
  const { topics } = await ada.client.ok('GET', `/users/me/${channelId}/topics`);
  assert.deepEqual(
    topics.map(({ name }: { name: string }) => name),
    ['Yarn'],
  );
});

for (const device of ['desktop', 'tablet'] as const) {
  world.test(`notices do not cover where one writes on a ${device}`, async () => {
    const { ada, route } = await sceneOf(world);
    const page = await world.open(ada, route, { device, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    const notice = page.getByRole('region', { name: 'Notices' }).getByRole('listitem');
    await notice.waitFor();
    const compose = page.getByRole('region', { name: 'Compose' });
    const [ofNotice, ofCompose] = [await notice.boundingBox(), await compose.boundingBox()];
    assert(ofNotice !== null && ofCompose !== null);
    assert(ofNotice.y + ofNotice.height <= ofCompose.y, 'the notice covers where one writes');
  });
}

world.test('the channel list marks topics with unread mentions until they are read', async () => {
  const { ada, channel, route, write } = await sceneOf(world);
  const page = await world.open(ada, '#inbox');
  const list = page.getByRole('list', { name: 'Conversations' });
  await write('no name in it');
  await list.getByRole('link', { name: new RegExp(`^${channel}.*1 unread`) }).waitFor();
  await write(`@**${ada.name}** which loom?`);
  const marked = list.getByRole('link', { name: new RegExp(`^${channel}.*mention`) });
  await marked.waitFor();
  await page.goto(`${world.url}/${route}`);
  await messageOf(page, 'which loom?').waitFor();
  await marked.waitFor({ state: 'detached' });
});

world.test('a notice says that a topic is muted, and takes it back', async () => {
  const { ada, channelId, route, write } = await sceneOf(world);
  await write('warp');
  const page = await world.open(ada, route, { device: 'phone' });
  const policies = async (): Promise<{ stream_id: number; visibility_policy: number }[]> =>
    (await ada.client.ok('POST', '/register', { fetch_event_types: ['user_topic'] })).user_topics;
  const isMuted = async () =>
    (await policies()).some((one) => one.stream_id === channelId && one.visibility_policy === 1);
  await page.getByRole('button', { name: 'Topic actions' }).tap();
  await page.getByRole('menuitem', { name: 'Mute' }).tap();
  const notices = page.getByRole('region', { name: 'Notices' });
  await notices.getByText('The topic is muted').waitFor();
  await until(isMuted, 'a muted topic');
  await notices.getByRole('button', { name: 'Undo' }).tap();
  await until(async () => !(await isMuted()), 'a topic that is not muted');
});
