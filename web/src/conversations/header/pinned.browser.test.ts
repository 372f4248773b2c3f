import assert from 'node:assert/strict';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibilityEverywhere } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });
const buttonOf = (page: Page, name: string) => page.getByRole('button', { name });
const listOf = (page: Page) => page.getByRole('dialog', { name: 'Pinned messages' });

async function choose(page: Page, text: string, entry: string): Promise<void> {
  await message(page, text).focus();
  await page.keyboard.press('i');
  await page.getByRole('menuitem', { name: entry }).click();
}

world.test(
  'a member pins a message of a topic and one of the channel, others see them in the header, and one is unpinned',
  async () => {
    const [ada, bob] = [await world.user({ name: 'Ada Pin' }), await world.user({ name: 'Bob Pin' })];
    const channelId = await world.server.emptyChannel(ada.client, 'pinboard', { principals: [bob.client.userId] });
    for (let number = 1; number <= 8; number++) await ada.client.send(channelId, 'looms', `row ${number} of the cloth`);
    const rules = await bob.client.send(channelId, 'rules', 'be kind to the shuttle');
    const route = `#narrow/channel/${channelId}/topic/looms`;
    const page = await world.open(ada, route);
    const other = await world.open(bob, route);
    await message(page, 'row 8 of').focus();
    await page.keyboard.press('b');
    await page.getByText('Pinned in the topic').waitFor();
    await buttonOf(other, '1 pinned message').waitFor();

    // The menu of a message elsewhere knows whether it is pinned.
    await choose(page, 'row 7 of', 'Pin in the topic');
    await buttonOf(other, '2 pinned messages').waitFor();
    // Undo restores the place that the message had.
    await choose(page, 'row 7 of', 'Pin in the channel');
    await page.getByText('Pinned in the channel').waitFor();
    await buttonOf(page, 'Undo').click();
    await page.getByText('Pinned in the topic').waitFor();
    await other.goto(`${other.url().split('#')[0]}#narrow/channel/${channelId}/topic/rules`);
    await message(other, 'be kind').waitFor();
    await world.settled(other);
    // Another topic has pins of its own. The place may reach the other page later than the words above reach this one.
    await buttonOf(other, 'pinned message').waitFor({ state: 'detached' });
    await choose(other, 'be kind', 'Pin in the channel');
    await buttonOf(other, '1 pinned message').waitFor();
    await buttonOf(page, '3 pinned messages').waitFor();

    await page.keyboard.press('Shift+B');
    const list = listOf(page);
    await list.getByRole('region', { name: 'In the channel' }).getByText('be kind to the shuttle').waitFor();
    await list.getByRole('region', { name: 'In this topic' }).getByText('row 7 of the cloth').waitFor();
    await checkAccessibilityEverywhere(page, 'the pinned messages', { part: 'overlays' });
    await list.getByRole('link', { name: /be kind to the shuttle/ }).click();
    await list.waitFor({ state: 'detached' });
    await message(page, 'be kind').waitFor();
    assert.match(page.url(), new RegExp(`near/${rules}$`));

    await page.goBack();
    await buttonOf(page, '3 pinned messages').click();
    const entry = list.getByRole('listitem').filter({ hasText: 'row 8 of' });
    await entry.getByRole('button', { name: 'Unpin' }).click();
    await entry.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await buttonOf(page, '2 pinned messages').waitFor();
    await message(page, 'row 8 of').focus();
    await page.keyboard.press('i');
    await page.getByRole('menuitem', { name: 'Pin in the topic' }).waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'row 7 of', 'Unpin');
    await buttonOf(page, '1 pinned message').waitFor();
  },
);

world.test('on a phone in German the list opens from the header, and who may not pin sees why', async () => {
  const [ada, bob] = [await world.user({ name: 'Ada Heft' }), await world.user({ name: 'Bob Heft' })];
  const channelId = await world.server.emptyChannel(ada.client, 'Brett', { principals: [bob.client.userId] });
  const id = await ada.client.send(channelId, 'Regeln', 'seid nett\n```spoiler Mehr\ngeheim\n```');
  await ada.client.ok('POST', `/messages/${id}/pin`, { place: 'channel' });
  await bob.client.ok('PATCH', '/settings', { default_language: 'de' });
  const { user_groups } = await ada.client.ok('GET', '/user_groups');
  const administrators = user_groups.find(({ name }: { name: string }) => name === 'role:administrators').id;
  await world.server.owner.ok('PATCH', '/realm', { can_pin_messages_group: { new: administrators } });
  const page = await world.open(bob, `#narrow/channel/${channelId}/topic/Regeln`, { device: 'phone' });
  await buttonOf(page, '1 angeheftete Nachricht').click();
  const list = page.getByRole('dialog', { name: 'Angeheftete Nachrichten' });
  await list.getByText('Angeheftet von Ada Heft').waitFor();
  await world.settled(page);
  await untilEqual(() => list.getByRole('button', { name: 'Nicht mehr anheften' }).count(), 0);
  await untilEqual(() => list.getByText('geheim').count(), 0, 'what a spoiler hides');
  await bob.client.ok('POST', `/users/me/muted_users/${ada.client.userId}`);
  await list.getByText('Nachricht einer stummgeschalteten Person').waitFor();
  await untilEqual(() => list.getByText('seid nett').count(), 0);
  await bob.client.ok('DELETE', `/users/me/muted_users/${ada.client.userId}`);
  await list.getByText('seid nett').waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= 390, `${width} px wide`);
  await list.getByRole('link', { name: /seid nett/ }).click();
  await list.waitFor({ state: 'detached' });
  await world.server.owner.ok('PATCH', '/realm', { can_pin_messages_group: { new: await membersGroup() } });
});

async function membersGroup(): Promise<number> {
  const { user_groups } = await world.server.owner.ok('GET', '/user_groups');
  return user_groups.find(({ name }: { name: string }) => name === 'role:members').id;
}
