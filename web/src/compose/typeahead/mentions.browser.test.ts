import assert from 'node:assert/strict';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

world.test('"@" offers the writers of the topic, and letters those whose names begin with them', async () => {
  const [ada, writer] = [await world.user({ name: 'Ada Vat' }), await world.user({ name: 'Zora Moss' })];
  const [subscriber, friend] = [await world.user({ name: 'Moss Ivy' }), await world.user({ name: 'Moss Abel' })];
  const principals = [ada, writer, subscriber].map(({ client }) => client.userId);
  const channelId = await world.server.emptyChannel(world.owner.client, 'dyes', { principals });
  await writer.client.send(channelId, 'moss green', 'how dark?');
  await ada.client.direct([friend.client.userId], 'hello');
  for (const [device, locale, message, list] of [
    ['desktop', 'en-US', 'Message', 'Suggestions'],
    ['phone', 'de-DE', 'Nachricht', 'Vorschläge'],
  ] as const) {
    await ada.client.ok('PATCH', '/settings', { default_language: locale.slice(0, 2) });
    const page = await world.open(ada, `#narrow/channel/${channelId}/topic/moss.20green`, { device, locale });
    await page.getByText('how dark?').waitFor();
    const box = page.getByRole('textbox', { name: message, exact: true });
    await box.fill('');
    await box.pressSequentially('@');
    const options = page.getByRole('listbox', { name: list }).getByRole('option');
    await options.first().filter({ hasText: writer.name }).waitFor();
    await box.pressSequentially('moss');
    await options.first().filter({ hasText: subscriber.name }).waitFor();
    await world.settled(page);
    const order = (await options.allTextContents()).map((text) => /Moss Ivy|Moss Abel|Zora Moss/.exec(text)?.[0]);
    assert.deepEqual(order, ['Moss Ivy', 'Moss Abel', 'Zora Moss']);
    // The next device would begin with this draft.
    await box.fill('');
    await world.settled(page);
  }
});
