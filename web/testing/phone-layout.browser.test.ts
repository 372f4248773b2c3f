/** Long texts on the narrow screen of a phone. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { browserWorld } from './browser-world.ts';
import { sceneOf } from './scenes.ts';

const world = browserWorld();

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  assert(box !== null, 'the element is not on the screen');
  return box;
}

world.test('a long topic in the settings ends before its choice', async () => {
  const { ada, channelId, write } = await sceneOf(world);
  const topic = 'a topic with a very long name that no phone can show';
  await write('warp', topic);
  await ada.client.ok('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy: 3 });
  const page = await world.open(ada, '#settings/topics', { device: 'phone' });
  const link = await boxOf(page.getByRole('link', { name: topic }));
  const choice = await boxOf(page.getByRole('button', { name: `How to show ${topic}` }));
  assert(link.x + link.width <= choice.x, 'the topic runs under its choice');
});

world.test('the icon of a group conversation keeps its size beside long names', async () => {
  const [ada, bo, cy] = [
    await world.user({ name: 'Ada Narrow' }),
    await world.user({ name: 'Bo With a Name as Long as a Warp Thread' }),
    await world.user({ name: 'Cy With a Name as Long as a Weft Thread' }),
  ];
  await bo.client.direct([ada.client.userId, cy.client.userId], 'hello');
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  const link = page.getByRole('main').getByRole('link', { name: /^Bo With/ });
  await link.waitFor();
  const widths = await link.evaluate((element) => {
    const icon = element.querySelector('svg');
    return [icon?.getBoundingClientRect().width, icon?.parentElement?.getBoundingClientRect().width];
  });
  assert(
    widths.every((width) => width !== undefined && width >= 16),
    `${widths}`,
  );
});

world.test('auf Deutsch: der Name eines Kanals hat im Eingang Platz neben dem Knopf', async () => {
  const [ada, bob] = [await world.user({ name: 'Ada Eingang' }), await world.user({ name: 'Bob Eingang' })];
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const principals = [bob.client.userId];
  const channelId = await world.server.emptyChannel(ada.client, 'Webstuhlforschung', { principals });
  await bob.client.send(channelId, 'Garn', 'Wolle');
  const page = await world.open(ada, '#inbox', { device: 'phone', locale: 'de-DE' });
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Alles gelesen: Webstuhlforschung' }).waitFor();
  const name = main.getByRole('heading', { name: /Webstuhlforschung/ }).getByText('Webstuhlforschung', { exact: true });
  const [shown, needed] = await name.evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]);
  assert(Number(needed) <= Number(shown), `the name needs ${needed} px of ${shown}`);
});

world.test('the icon of a default channel stands beside its name', async () => {
  const page = await world.open(world.owner, '#organization/default-channels-list', { device: 'phone' });
  const link = page.getByRole('list', { name: 'Default channels' }).getByRole('link').first();
  const { height } = await boxOf(link);
  assert(height < 32, `the link is ${height} px high`);
});

world.test('the hints of a new message fit into their fields', async () => {
  const { ada } = await sceneOf(world);
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await page.getByRole('button', { name: 'New message' }).tap();
  for (const name of ['Channel', 'Topic']) {
    const field = page.getByRole('combobox', { name });
    await field.waitFor();
    const [room, needed] = await field.evaluate((element) => {
      if (!(element instanceof HTMLInputElement)) throw new Error('the field is no input');
      const context = document.createElement('canvas').getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.font = getComputedStyle(element).font;
      return [element.clientWidth, context.measureText(element.placeholder).width];
    });
    assert(Number(needed) <= Number(room), `${name}: the hint needs ${needed} px of ${room}`);
  }
});

world.test('auf Deutsch: die Titel über den Nachrichten sind ganz zu lesen, und das Menü führt zur Suche', async () => {
  const name = 'Bob von Fadenhausen-Zwirnersdorff';
  const [ada, bob] = [await world.user({ name: 'Ada Titel' }), await world.user({ name })];
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const principals = [bob.client.userId];
  const channelId = await world.server.emptyChannel(ada.client, 'Webstuhl Nordost und West', { principals });
  const topic = 'Reparatur der Schiffchen und der Garnwinden im Keller (neu)';
  const id = await bob.client.send(channelId, topic, 'Garn');
  await ada.client.ok('POST', `/messages/${id}/pin`, { place: 'topic' });
  await bob.client.direct([ada.client.userId], 'Wolle');
  const page = await world.open(ada, '#inbox', { device: 'phone', locale: 'de-DE' });
  const title = page.getByRole('main').getByRole('heading', { level: 1 });
  for (const [hash, text] of [
    ['#narrow/is/starred', 'Markierte Nachrichten'],
    ['#narrow/is/dm', 'Direktnachrichten'],
    [`#narrow/channel/${channelId}`, 'Webstuhl Nordost und West'],
    [`#narrow/channel/${channelId}/topic/${encodeURIComponent(topic)}`, topic],
    [`#narrow/dm/${bob.client.userId}`, name],
  ] as const) {
    await page.evaluate((to) => location.assign(to), hash);
    await title.filter({ hasText: text }).waitFor();
    await world.settled(page);
    const cut = await title.evaluate((heading) =>
      [heading, ...heading.querySelectorAll('*')]
        .filter(({ clientWidth, scrollWidth, clientHeight, scrollHeight }) => {
          // A line box can be a pixel higher than its text.
          return clientWidth > 0 && (scrollWidth > clientWidth || scrollHeight > clientHeight + 1);
        })
        .map(({ textContent }) => textContent),
    );
    assert.deepEqual(cut, [], `${hash}: the title is cut`);
    if (!hash.startsWith('#narrow/channel')) continue;
    await page
      .locator('main header')
      .getByRole('button', { name: /^Aktionen des/ })
      .tap();
    await page.getByRole('menuitem', { name: 'Hier suchen …' }).tap();
    const search = page.getByRole('dialog', { name: 'Suchen' });
    await search.getByRole('button', { name: /Webstuhl Nordost/ }).waitFor();
    await search.getByRole('button', { name: 'Schließen' }).tap();
    await search.waitFor({ state: 'detached' });
    if (text !== topic) continue;
    await title.tap();
    await page.waitForURL(/#topics\//);
  }
});
