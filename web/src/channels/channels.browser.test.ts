import assert from 'node:assert/strict';
import { checkAccessibilityEverywhere } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

/** React Aria announces a button that waits by the ids of its texts, which are gone a moment later. */
const without = ['role-img-alt'];

world.test('an owner creates a channel, changes its name and adds a member', async () => {
  const ada = await world.user({ name: 'Ada Weaver' });
  const page = await world.open(world.owner, '#channels/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('loom room');
  await page.getByRole('textbox', { name: 'Description' }).fill('about looms');
  await page.getByRole('radio', { name: /Private, shared history/ }).check({ force: true });
  await page.getByRole('button', { name: 'Create channel' }).click();
  await page.waitForURL(/#narrow\/channel\/\d+-loom-room/);
  const { stream_id: channelId } = await world.owner.client.ok('GET', '/get_stream_id', { stream: 'loom room' });

  await page.goto(`${world.server.url}/#channels/${channelId}/loom-room/general`);
  await page.getByRole('textbox', { name: 'Name' }).fill('shed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'shed', level: 1 }).waitFor();
  await checkAccessibilityEverywhere(page, 'the settings of a channel', { without });

  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('combobox', { name: 'Add people' }).fill('Ada');
  await page.getByRole('option', { name: 'Ada Weaver' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('grid').getByRole('link', { name: 'Ada Weaver' }).waitFor();
  const { subscribers } = await world.owner.client.ok('GET', `/streams/${channelId}/members`);
  assert.ok(subscribers.includes(ada.client.userId));
  await checkAccessibilityEverywhere(page, 'the members of a channel', { without });
});

world.test('a member finds a channel, joins it and leaves it', async () => {
  await world.owner.client.ok('POST', '/channels/create', {
    name: 'weaving',
    subscribers: [world.owner.client.userId],
  });
  const page = await world.open(await world.user({ name: 'Bob' }), '#channels/available');
  await page.getByRole('searchbox', { name: 'Filter channels' }).fill('weav');
  await page.getByRole('button', { name: 'Join weaving' }).click();
  await page.getByRole('button', { name: 'Join weaving' }).waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'Subscribed' }).click();
  await page.getByRole('button', { name: 'Leave weaving' }).click();
  await page.getByRole('button', { name: 'Leave weaving' }).waitFor({ state: 'detached' });
  await checkAccessibilityEverywhere(page, 'the list of channels', { without });
});
