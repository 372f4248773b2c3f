import assert from 'node:assert/strict';
import { checkAccessibilityEverywhere } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

world.test('a call at the URL of the organization gets a room of its own', async () => {
  const video_chat_url = 'https://calls.example.com/{room}?lang=de';
  await world.server.owner.ok('PATCH', '/realm', { video_chat_provider: 100, video_chat_url });
  const ada = await world.user({ name: 'Ada' });
  const channelId = await world.server.emptyChannel(ada.client, 'calls');
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/today`);
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Add a video call' }).click();
  const text = page.getByRole('textbox', { name: /message/i });
  await page.waitForFunction(() => /calls\.example\.com/.test(document.querySelector('textarea')?.value ?? ''));
  assert.match(
    await text.inputValue(),
    /^\[Join the video call\.\]\(https:\/\/calls\.example\.com\/[\da-f]{32}\?lang=de\)/,
  );
});

world.test('an owner chooses a custom URL on the settings page, which refuses other addresses', async () => {
  await world.server.owner.ok('PATCH', '/realm', { video_chat_provider: 0, video_chat_url: '' });
  const page = await world.open(world.owner, '#organization/organization-settings');
  await page.getByRole('button', { name: /Service for calls/ }).click();
  await page.getByRole('option', { name: 'Custom URL' }).click();
  const url = page.getByRole('textbox', { name: 'URL of calls' });

  world.expectProblems('status 400', 'status of 400');
  await url.fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/video_chat_url is not an allowed_type/).waitFor();
  assert.equal((await world.server.owner.register({ fetch_event_types: ['realm'] })).state.realm_video_chat_url, '');

  await url.fill('https://calls.example.com/{room}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  await checkAccessibilityEverywhere(page, 'the URL of calls', { without: ['role-img-alt'] });
  const { state } = await world.server.owner.register({ fetch_event_types: ['realm'] });
  assert.deepEqual(
    [state.realm_video_chat_provider, state.realm_video_chat_url],
    [100, 'https://calls.example.com/{room}'],
  );
});
