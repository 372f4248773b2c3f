import assert from 'node:assert/strict';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

world.test('a call at the URL of the organization gets a room of its own', async () => {
  const video_chat_url = 'https://calls.example.com/{room}?lang=de';
  await world.server.owner.ok('PATCH', '/realm', { video_chat_provider: 100, video_chat_url });
  const ada = await world.user({ name: 'Ada' });
  const channelId = await world.server.emptyChannel(ada.client, 'calls');
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/today`);
  await page.getByRole('button', { name: 'Add a video call' }).click();
  const text = page.getByRole('textbox', { name: /message/i });
  await page.waitForFunction(() => /calls\.example\.com/.test(document.querySelector('textarea')?.value ?? ''));
  assert.match(
    await text.inputValue(),
    /^\[Join the video call\.\]\(https:\/\/calls\.example\.com\/[\da-f]{32}\?lang=de\)/,
  );
});
