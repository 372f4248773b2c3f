import { browserWorld } from './browser-world.ts';

const world = browserWorld();

world.test('a link to a topic follows the topic after it was renamed and moved', async () => {
  const { owner } = world.server;
  const [looms, spindles] = [await owner.subscribe('looms'), await owner.subscribe('spindles')];
  void looms;
  void spindles;
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
