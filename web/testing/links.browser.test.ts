import { browserWorld } from './browser-world.ts';
import { messageOf, sceneOf } from './scenes.ts';

const world = browserWorld();

world.test('a link to a topic follows the topic after it was renamed and moved', async () => {
  const { owner } = world.server;
  await owner.subscribe('looms');
  await owner.subscribe('spindles');
  const { stream_id: from } = await owner.ok('GET', '/get_stream_id', { stream: 'looms' });
  const { stream_id: to } = await owner.ok('GET', '/get_stream_id', { stream: 'spindles' });
  const id = await owner.send('looms', 'warp', 'the first thread');
  await owner.ok('PATCH', `/messages/${id}`, {
    stream_id: to,
    topic: 'weft',
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: false,
  });
  const page = await world.open(world.owner, `#narrow/channel/${from}-looms/topic/warp/with/${id}`);
  await page.getByText('the first thread').waitFor();
  await page.waitForURL((url) => url.hash.includes(`channel/${to}-spindles/topic/weft`));
});

world.test('a link to a message follows the message after it was moved, and other links show their topic', async () => {
  const { ada, bob, channel, channelId, write } = await sceneOf(world);
  const { client: owner } = world.owner;
  const [first, moved] = [await write('stays behind'), await write('moves away')];
  const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
  await owner.ok('PATCH', `/messages/${moved}`, { topic: 'spindles', propagate_mode: 'change_one', ...quiet });
  const path = `#narrow/channel/${channelId}-anything/topic/looms`;
  const page = await world.open(ada, `${path}/near/${moved}`);
  await page.getByRole('heading', { level: 1, name: `${channel} › spindles` }).waitFor();
  await messageOf(page, 'moves away').waitFor();
  await page.waitForURL((url) => url.hash.includes('topic/spindles/near/'));

  const go = (hash: string) => page.evaluate((to) => location.assign(to), hash);
  await go(`${path}/near/${first}`);
  await page.getByRole('heading', { level: 1, name: `${channel} › looms` }).waitFor();
  await messageOf(page, 'stays behind').waitFor();
  // The whole topic is renamed now, so the link leads to its new name.
  await owner.ok('PATCH', `/messages/${first}`, { topic: 'shuttles', propagate_mode: 'change_all', ...quiet });
  await go('#inbox');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await go(`${path}/near/${first}`);
  await page.getByRole('heading', { level: 1, name: `${channel} › shuttles` }).waitFor();
  await messageOf(page, 'stays behind').waitFor();

  // Links of older clients.
  await owner.ok('PATCH', `/streams/${channelId}`, { new_name: `${channel} hall` });
  await go(`#narrow/stream/${channelId}-${channel.replace(' ', '-')}/subject/spindles`);
  await page.getByRole('heading', { level: 1, name: `${channel} hall › spindles` }).waitFor();
  await go(`#narrow/pm-with/${bob.client.userId}-someone`);
  await page.getByRole('heading', { level: 1, name: bob.name }).waitFor();
  const direct = await bob.client.direct([ada.client.userId], 'a private thread');
  await go(`#narrow/dm/${bob.client.userId},${ada.client.userId}-dm/near/${direct}`);
  await messageOf(page, 'a private thread').waitFor();
  await go(`#narrow/id/${direct}`);
  await messageOf(page, 'a private thread').waitFor();
  world.expectProblems(/status 400: .*999999/);
  await go('#narrow/channel/999999-nowhere/topic/x');
  await page.getByText('You cannot read this channel').waitFor();
});

world.test('a link with an operator that every object has as a field leaves the app alive', async () => {
  const { ada, write } = await sceneOf(world);
  await write('[press here](#narrow/constructor/x)');
  world.expectProblems(/status 400: .*narrow/);
  const page = await world.open(ada, '#feed');
  await page.getByRole('link', { name: 'press here' }).click();
  await page.waitForURL(/#narrow\/constructor\/x/);
  await page.reload();
  await page.evaluate(() => location.assign('#inbox'));
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
});
