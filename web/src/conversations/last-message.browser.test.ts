import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { messageOf, sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

for (const device of ['desktop', 'phone'] as const) {
  world.test(`direct rows of the inbox show the last message with its sender on a ${device}`, async () => {
    const { ada, bob } = await sceneOf(world);
    const carol = await world.user({ name: `Carol of the ${device}` });
    await carol.client.direct([ada.client.userId], 'long ago');
    // More than one page of direct messages.
    for (let number = 1; number <= 70; number += 1) await bob.client.direct([ada.client.userId], `word ${number}`);
    const id = await bob.client.direct([ada.client.userId], 'the **warp** is ready');
    const isGerman = device === 'phone';
    if (isGerman) await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
    const page = await world.open(ada, '#inbox', { device });
    const main = page.getByRole('main');
    const row = main.getByRole('link', { name: new RegExp(bob.name) });
    await row.getByText(`${bob.name}: the warp is ready`).waitFor();
    // The row shows the name already. Only screen readers hear it again.
    const repeated = await row.getByText(`${bob.name}:`, { exact: true }).boundingBox();
    assert(repeated !== null && repeated.width <= 1, 'the name is repeated before the text');
    await main.getByRole('link', { name: /Carol/ }).getByText(`${carol.name}: long ago`).waitFor();
    await checkAccessibility(page, `the inbox with last messages on a ${device}`, { part: 'main' });
    const [name, all] = [await row.getByText(bob.name, { exact: true }).boundingBox(), await row.boundingBox()];
    assert(name !== null && all !== null && name.width > 20 && all.height < 60, 'the name and the text have one line');

    await bob.client.ok('PATCH', `/messages/${id}`, { content: 'the weft is ready' });
    await row.getByText(`${bob.name}: the weft is ready`).waitFor();
    await bob.client.direct([ada.client.userId], '/me weaves');
    await row.getByText(`${bob.name} weaves`).waitFor();
    await ada.client.direct([bob.client.userId], 'see you there');
    await row.getByText(`${isGerman ? 'Du' : 'You'}: see you there`).waitFor();
    // Recent conversations do not repeat the name either.
    await page.evaluate(() => location.assign('#recent'));
    const hidden = await main.getByRole('table').getByText(`${carol.name}:`, { exact: true }).boundingBox();
    assert(hidden !== null && hidden.width <= 1, 'recent conversations repeat the name');
    if (isGerman) return;

    // The sidebar has room for it in the tooltip only.
    const inSidebar = page
      .getByRole('list', { name: 'Conversations', exact: true })
      .getByRole('link', { name: /Carol/ });
    await inSidebar.hover();
    const shown = async () => (await inSidebar.getAttribute('title')) === `${carol.name}: long ago`;
    await until(shown, 'the tooltip of the row');
  });
}

world.test('a row of the sidebar that is hovered leaves the open list where it is, and reads nothing', async () => {
  const { ada, bob, read } = await sceneOf(world);
  const carol = await world.user({ name: 'Carol of the list' });
  await carol.client.direct([ada.client.userId], 'long ago');
  const ids: number[] = [];
  for (let number = 1; number <= 150; number += 1) {
    ids.push(await bob.client.direct([ada.client.userId], `thread ${number}.`));
  }
  await read(ids.slice(0, 100));
  const page = await world.open(ada, `#narrow/is/dm/near/${ids[20]}`);
  await messageOf(page, 'thread 21.').waitFor();
  await world.settled(page);
  let requests = 0;
  page.on('request', (request) => {
    if (/\/json\/messages\?/.test(request.url())) requests += 1;
  });
  const rows = page.getByRole('list', { name: 'Conversations', exact: true });
  for (const [name, text] of [
    [carol.name, `${carol.name}: long ago`],
    [bob.name, `${bob.name}: thread 150.`],
  ] as const) {
    const row = rows.getByRole('link', { name: new RegExp(name) });
    await row.hover();
    await until(async () => (await row.getAttribute('title')) === text, `the tooltip ${text}`);
  }
  await world.settled(page);
  assert.equal(requests, 2);
  await messageOf(page, 'thread 21.').waitFor();
  await untilEqual(() => messageOf(page, 'thread 150.').count(), 0);
  const query = { narrow: [{ operator: 'is', operand: 'unread' }], anchor: 'newest', num_before: 1000, num_after: 0 };
  const { messages } = await ada.client.ok('GET', '/messages', query);
  assert.deepEqual(
    messages.map(({ id }: { readonly id: number }) => id).filter((id: number) => ids.includes(id)),
    ids.slice(100),
  );
});

world.test('recent conversations have skeletons while they load', async () => {
  const { ada, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, '#inbox');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^looms/ })
    .waitFor();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.context().route(/\/json\/messages(?:\?|$)/, async (request) => {
    await released;
    await request.continue();
  });
  for (const size of [page.viewportSize(), { width: 390, height: 844 }]) {
    if (size !== null) await page.setViewportSize(size);
    await page.evaluate(() => location.assign('#recent'));
    const busy = page.getByRole('main').locator('[aria-busy=true]');
    // While the code of the view loads, a smaller part of the page is busy.
    const height = async () => (await busy.first().boundingBox())?.height ?? 0;
    await until(async () => (await height()) > 300, 'skeletons that fill the place of the rows');
    await checkAccessibility(page, 'recent conversations that load', { part: 'main' });
    await page.evaluate(() => location.assign('#drafts'));
    await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
  }
  await page.evaluate(() => location.assign('#recent'));
  release();
  await page.getByRole('table').getByText('the warp is ready').waitFor();
  await untilEqual(() => page.getByRole('main').locator('[aria-busy=true]').count(), 0);
});
