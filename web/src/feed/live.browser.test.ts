import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { allowWriting, messageOf, sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

world.test('edits, reactions, deletions and moves of others appear at once', async () => {
  const { ada, bob, route, channel, write } = await sceneOf(world);
  const [one, two, three] = [await write('the red thread'), await write('the knot'), await write('about spindles')];
  const page = await world.open(ada, route);
  await messageOf(page, 'about spindles').waitFor();
  await bob.client.ok('PATCH', `/messages/${one}`, { content: 'the **blue** thread' });
  await messageOf(page, 'the blue thread').getByText('edited').waitFor();
  await bob.client.ok('POST', `/messages/${one}/reactions`, { emoji_name: 'tada' });
  const tada = messageOf(page, 'the blue thread').getByRole('button', { name: `${bob.name} reacted with :tada:` });
  await tada.waitFor();
  await bob.client.ok('DELETE', `/messages/${one}/reactions`, { emoji_name: 'tada' });
  await tada.waitFor({ state: 'detached' });
  await world.owner.client.ok('DELETE', `/messages/${two}`);
  await messageOf(page, 'the knot').waitFor({ state: 'detached' });
  const move = { topic: 'spindles', propagate_mode: 'change_one', send_notification_to_new_thread: false };
  await world.owner.client.ok('PATCH', `/messages/${three}`, move);
  await messageOf(page, 'about spindles').waitFor({ state: 'detached' });
  await messageOf(page, 'the blue thread').waitFor();
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('link', { name: /^spindles/ }).click();
  await page.getByRole('heading', { level: 1, name: `${channel} › spindles` }).waitFor();
  await messageOf(page, 'about spindles').getByText('moved').waitFor();
});

world.test(
  'an open topic follows when others rename, resolve or move it, and so do the names of its channel',
  async () => {
    const { ada, channel, channelId, route, write } = await sceneOf(world);
    const id = await write('the red thread');
    const { client: owner } = world.owner;
    const other = await world.server.emptyChannel(owner, `${channel} annex`, { principals: [ada.client.userId] });
    const page = await world.open(ada, route);
    await messageOf(page, 'the red thread').waitFor();
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await box.pressSequentially('half a thought');
    const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
    await owner.ok('PATCH', `/messages/${id}`, { topic: 'shuttles', propagate_mode: 'change_all', ...quiet });
    await page.getByRole('heading', { level: 1, name: `${channel} › shuttles` }).waitFor();
    await messageOf(page, 'the red thread').waitFor();
    await owner.ok('PATCH', `/messages/${id}`, { topic: '✔ shuttles', propagate_mode: 'change_all', ...quiet });
    await page.waitForURL(/topic\/.E2.9C.94.20shuttles/);
    await owner.ok('PATCH', `/streams/${channelId}`, { new_name: `${channel} hall` });
    await page.getByRole('heading', { level: 1, name: new RegExp(`^${channel} hall › `) }).waitFor();
    const list = page.getByRole('list', { name: 'Conversations' });
    await list.getByRole('link', { name: new RegExp(`^${channel} hall`) }).waitFor();
    await owner.ok('PATCH', `/messages/${id}`, { stream_id: other, propagate_mode: 'change_all', ...quiet });
    await page.getByRole('heading', { level: 1, name: new RegExp(`^${channel} annex › `) }).waitFor();
    await messageOf(page, 'the red thread').waitFor();
    // What the user was writing went with the topic, and so did the focus.
    await untilEqual(() => box.inputValue(), 'half a thought');
    await page.keyboard.type(', and more');
    await untilEqual(() => box.inputValue(), 'half a thought, and more');
  },
);

world.test('who loses the permission to write keeps the text, and continues when it is back', async () => {
  // The server refuses requests that were on their way.
  world.expectProblems(/status 400: .*\/json\/(?:drafts|typing)/);
  const { bob, channelId, route, write } = await sceneOf(world);
  await write('the red thread');
  const page = await world.open(bob, route);
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await messageOf(page, 'the red thread').waitFor();
  await box.fill('half a thought');
  await allowWriting(world, channelId, false);
  await page.getByText('You are not allowed to write in this channel').waitFor();
  const compose = page.getByRole('region', { name: 'Compose' });
  await compose.getByRole('button', { name: 'Send', exact: true, disabled: true }).waitFor();
  await allowWriting(world, channelId, true);
  await page.getByText('You are not allowed to write in this channel').waitFor({ state: 'detached' });
  await untilEqual(() => box.inputValue(), 'half a thought');
});

for (const who of ['member', 'creator'] as const) {
  world.test(`a ${who} who is removed from a private channel sees why, and continues when added again`, async () => {
    // The server refuses requests that were on their way.
    world.expectProblems(/status 400: .*\/json\/(?:drafts|typing|messages|streams\/\d+\/members)/);
    const { ada, bob, channelId, channel, route, write } = await sceneOf(world);
    await write('the red thread');
    const { client: owner } = world.owner;
    await owner.subscribe(channel);
    await owner.ok('PATCH', `/streams/${channelId}`, { is_private: true, history_public_to_subscribers: true });
    const person = who === 'member' ? bob : ada;
    const page = await world.open(person, route);
    await messageOf(page, 'the red thread').waitFor();
    const all = { subscriptions: JSON.stringify([channel]), principals: JSON.stringify([person.client.userId]) };
    await owner.ok('DELETE', '/users/me/subscriptions', all);
    await messageOf(page, 'the red thread').waitFor({ state: 'detached' });
    await page.getByText('You cannot read this channel').waitFor();
    await page
      .getByRole('list', { name: 'Conversations' })
      .getByRole('link', { name: channel })
      .waitFor({ state: 'detached' });
    await owner.subscribe(channel, { principals: [person.client.userId] });
    await messageOf(page, 'the red thread').waitFor();
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  });
}
