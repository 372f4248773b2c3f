import assert from 'node:assert/strict';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

world.test('the filter finds topics and people, the views stay, and the open conversation is in sight', async () => {
  const [ada, bo] = [await world.user({ name: 'Ada Sidebar' }), await world.user({ name: 'Woad Person' })];
  const principals = [ada.client.userId, bo.client.userId];
  const ids: number[] = [];
  for (let count = 0; count < 30; count += 1) {
    const name = `channel ${String(count).padStart(2, '0')}`;
    ids.push(await world.server.emptyChannel(world.owner.client, name, { principals }));
    await bo.client.send(ids.at(-1) ?? 0, count === 29 ? 'woad leaves' : 'other', 'hello');
  }
  for (const device of ['desktop', 'phone'] as const) {
    const page = await world.open(ada, '#inbox', { device });
    if (device === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
    const list = page.getByRole('list', { name: 'Conversations' });
    const field = page.getByRole('searchbox', { name: 'Filter conversations' });
    await field.fill('woad');
    await list.getByRole('link', { name: /^woad leaves/ }).waitFor();
    await list.getByRole('link', { name: /Woad Person/ }).waitFor();
    await checkAccessibility(page, `a filtered sidebar (${device})`, { without: ['heading-order'] });
    await list.getByRole('link', { name: /^woad leaves/ }).click();
    await page.getByRole('heading', { level: 1, name: /woad leaves/ }).waitFor();
    if (device === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
    await field.fill('');
    const open = list.getByRole('link', { name: /^woad leaves/ });
    await open.waitFor();
    await world.settled(page);
    const inbox = list.getByRole('link', { name: /^Inbox/ });
    for (const link of [open, inbox]) {
      assert.equal(await link.evaluate(isInSight), true, `${device}: ${await link.textContent()}`);
    }
    if (device === 'phone') continue;
    await page.goto(`${world.url}/#narrow/channel/${ids[15]}`);
    const other = list.getByRole('link', { name: /^channel 15/ });
    await other.waitFor();
    await world.settled(page);
    assert.equal(await other.evaluate(isInSight), true);
    assert.equal(await inbox.evaluate(isInSight), true);
  }
});

/** Whether nothing covers the middle of the element. */
function isInSight(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}
