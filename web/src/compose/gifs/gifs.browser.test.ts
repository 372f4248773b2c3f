import assert from 'node:assert/strict';
import { after } from 'node:test';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { TestGifService } from '@heddle/server/testing/services/gif-service.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility, checkAccessibilityEverywhere } from '../../../testing/axe.ts';
import { browserWorld, type Person } from '../../../testing/browser-world.ts';
import { renderLate } from '../../../testing/slow-pages.ts';

const service = await TestGifService.start();
after(() => service.stop());
const world = browserWorld({ environment: service.environment });

const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'GIFs' });
const option = (page: Page, name: string) => dialog(page).getByRole('option', { name, exact: true });

async function switchOn(name: 'giphy' | 'tenor'): Promise<void> {
  await world.server.owner.ok('PATCH', '/realm/gif_picker', { service: name, api_key: service.key });
}

async function topicOf({ client }: Person, name: string): Promise<{ channelId: number; route: string }> {
  const channelId = await world.server.emptyChannel(client, name);
  await client.send(channelId, 'looms', 'hello');
  return { channelId, route: `#narrow/channel/${channelId}/topic/looms` };
}

const PICTURES = '**/external_content/**';
const SEARCHES = /\/gifs\?/;

/** The address of the service in a path of this server. */
function addressIn(path: string): string {
  return Buffer.from(path.split('/').at(-1) ?? '', 'hex').toString();
}

/** What the picture of an option shows: `small` moves, `still` does not. */
async function shownBy(page: Page, name: string): Promise<string | undefined> {
  const path = await option(page, name).locator('img').getAttribute('src');
  return /(\w+)\.gif$/.exec(addressIn(path ?? ''))?.[1];
}

/** In the page. Whether the picture of an option has loaded. */
function isDrawn(name: string): boolean {
  const picture = document.querySelector<HTMLImageElement>(`[role=option][aria-label="${name}"] img`);
  return picture?.complete === true && picture.naturalWidth > 0;
}

world.test('an owner switches GIFs on with a key, which nobody sees again', async () => {
  const page = await world.open(world.owner, '#organization/organization-settings');
  const main = page.getByRole('main').first();
  await main.getByRole('button', { name: /Service for GIFs/ }).click();
  await page.getByRole('option', { name: 'Giphy' }).click();
  const save = main.getByRole('button', { name: 'Save' });
  await untilEqual(() => save.isDisabled(), true);
  await main.getByLabel('Key at Giphy').fill(service.key);
  await save.click();
  await main.getByText('A key is set. Nobody can read it.').waitFor();
  await main.getByRole('button', { name: /GIFs are suitable for/ }).click();
  await page.getByRole('option', { name: 'Children with guidance (PG)' }).click();
  await world.settled(page);
  const known = { client_capabilities: { gif_picker: true } };
  assert.deepEqual((await world.server.owner.register(known)).state.realm_gif_picker, {
    service: 'giphy',
    rating: 'pg',
  });
  assert.equal((await page.content()).includes(service.key), false);
  await checkAccessibilityEverywhere(page, 'the service for GIFs', { without: ['role-img-alt'] });

  const member = await world.user({ name: 'Ronja Reader' });
  const read = await world.open(member, '#organization/organization-settings');
  await read.getByText('GIFs are suitable for').waitFor();
  const text = await read.getByRole('main').first().innerText();
  for (const value of ['Service for GIFs\nGiphy', 'GIFs are suitable for\nChildren with guidance (PG)']) {
    assert(text.includes(value), value);
  }
  assert.equal(text.match(/can change this/g)?.length, 1, text);

  await main.getByRole('button', { name: /Service for GIFs/ }).click();
  await page.getByRole('option', { name: 'No GIFs' }).click();
  await main.getByText('GIFs are suitable for').waitFor({ state: 'detached' });
  assert.equal((await world.server.owner.register(known)).state.realm_gif_picker, null);
});

world.test('a member finds a GIF by keyboard, and readers get it from this server', async () => {
  await switchOn('giphy');
  const [ada, bob] = [await world.user({ name: 'Ada Gif' }), await world.user({ name: 'Bob Gif' })];
  const { channelId, route } = await topicOf(ada, 'gifs');
  await world.server.owner.ok('POST', '/users/me/subscriptions', {
    ...{ subscriptions: [{ name: 'gifs' }], principals: [bob.client.userId] },
  });
  const page = await world.open(ada, route);
  await field(page).click();
  await page.keyboard.type('look:');
  // A busy server refuses some pictures. They are requested again, a few times.
  world.expectProblems('status 503', 'status of 503');
  let requests = 0;
  await page.route(PICTURES, async (request) => {
    const path = addressIn(request.request().url());
    if (path.endsWith('/0/still.gif')) requests += 1;
    const isRefused = path.endsWith('/1/still.gif') || (path.endsWith('/0/still.gif') && requests === 1);
    await (isRefused ? request.fulfill({ status: 503 }) : request.continue());
  });
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: /^GIF/ }).click();
  await option(page, 'popular 0 GIF').waitFor();
  await page.mouse.move(0, 0);
  await dialog(page).getByText('Powered by GIPHY').waitFor();
  await page.waitForFunction(isDrawn, 'popular 0 GIF');
  assert.equal(requests, 2);
  await option(page, 'popular 1 GIF').getByText('popular 1 GIF').waitFor();
  await page.unroute(PICTURES);
  await checkAccessibilityEverywhere(page, 'the picker of GIFs', { part: 'overlays' });

  // Enter goes to the pictures of this search. Those of the one before stay until the response.
  const answer = Promise.withResolvers<void>();
  await page.route(SEARCHES, async (request) => {
    await answer.promise;
    await request.continue();
  });
  const asked = page.waitForRequest(SEARCHES);
  const search = dialog(page).getByRole('searchbox', { name: 'Search GIFs' });
  await search.fill('birds');
  await search.press('Enter');
  assert.equal(new URL((await asked).url()).searchParams.get('query'), 'birds');
  await untilEqual(() => option(page, 'popular 0 GIF').count(), 1);
  assert.equal(await search.evaluate((element) => element === document.activeElement), true);
  answer.resolve();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'birds 0 GIF');
  await untilEqual(() => option(page, 'popular 0 GIF').count(), 0);
  await page.unroute(SEARCHES);
  await search.fill('');

  await page.keyboard.type('cats');
  await option(page, 'cats 0 GIF').waitFor();
  // Pictures move under the focus only, as the settings say for those of messages.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'cats 1 GIF');
  assert.deepEqual([await shownBy(page, 'cats 0 GIF'), await shownBy(page, 'cats 1 GIF')], ['still', 'small']);
  await dialog(page).getByRole('button', { name: 'Show more' }).click();
  await option(page, 'cats 47 GIF').waitFor();
  await option(page, 'cats 1 GIF').focus();
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  // The text comes in the frame after the dialog has gone.
  await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement);
  assert.match(await field(page).inputValue(), /^look:\n\[cats 1 GIF\.gif\]\(\/user_uploads\/.*\.gif\)\n$/);
  await field(page).press('Control+Enter');

  const reader = await world.open(bob, route);
  await reader.getByRole('link', { name: 'Open picture cats 1 GIF.gif' }).waitFor();
  const { messages } = await bob.client.ok('GET', '/messages', {
    ...{ anchor: 'newest', num_before: 1, num_after: 0, narrow: [{ operator: 'channel', operand: channelId }] },
  });
  assert.match(messages[0].content, /<a href="\/user_uploads\/.*<img .*src="\/user_uploads\/thumbnail\//s);
});

world.test('the text has the focus after a GIF is chosen, also if the app renders late', async () => {
  await switchOn('giphy');
  const ada = await world.user({ name: 'Ada Late' });
  const { route } = await topicOf(ada, 'late');
  const page = await world.open(ada, route);
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: /^GIF/ }).click();
  await option(page, 'popular 0 GIF').waitFor();
  // Later than the next frame, in which the focus moves.
  await renderLate(page, 300);
  await option(page, 'popular 0 GIF').click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement);
  assert.match(await field(page).inputValue(), /popular 0/);
});

world.test(
  'a command and a key open the picker too; a failing service is named, and motion is reduced on wish',
  async () => {
    await switchOn('tenor');
    const ada = await world.user({ name: 'Ada Key' });
    await ada.client.ok('PATCH', '/settings', { web_animate_image_previews: 'always' });
    const { route } = await topicOf(ada, 'keys');
    const page = await world.open(ada, route);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await field(page).click();
    await page.keyboard.type('/gi');
    await page.getByRole('option', { name: /\/gif/ }).waitFor();
    // What is typed while the code of commands loads stays, and the GIF stands on a line of its own.
    const code = Promise.withResolvers<void>();
    await page.route('**/static/app/slash-commands-*.js', async (request) => {
      await code.promise;
      await request.continue();
    });
    await field(page).fill('/gif dogs');
    await field(page).press('Control+Enter');
    await page.keyboard.type('look:');
    code.resolve();
    await option(page, 'dogs 3').waitFor();
    await dialog(page).getByText('Powered by Tenor').waitFor();
    assert.equal(await shownBy(page, 'dogs 3'), 'small');
    await option(page, 'dogs 3').click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.waitForFunction(() => /^look:\n\[dogs 3\.gif\]/.test(document.querySelector('textarea')?.value ?? ''));
    await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await field(page).focus();
    await page.keyboard.press('Alt+g');
    await option(page, 'popular 5').waitFor();
    assert.equal(await shownBy(page, 'popular 5'), 'still');

    world.expectProblems('status 400', 'status of 400');
    service.behaviour = (_, response) => response.writeHead(500).end();
    await page.keyboard.type('broken');
    await dialog(page).getByText('The service for GIFs does not respond. Try again later.').waitFor();
    await checkAccessibility(page, 'a failing service of GIFs', { part: 'overlays' });
    service.behaviour = undefined;
    // Another key is tried at once. The failing one rests.
    await switchOn('giphy');
    await dialog(page).getByRole('button', { name: 'Try again' }).click();
    await option(page, 'broken 0 GIF').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });

    await world.server.owner.ok('PATCH', '/realm/gif_picker', { service: 'none' });
    await world.settled(page);
    await page.getByRole('button', { name: 'More tools' }).click();
    await page.getByRole('menuitem', { name: 'Poll' }).waitFor();
    await untilEqual(() => page.getByRole('menuitem', { name: /^GIF/ }).count(), 0);
    await page.keyboard.press('Escape');
    await field(page).fill('/gif dogs');
    await field(page).press('Control+Enter');
    await page.getByText('Your organization has no service for GIFs.').waitFor();
  },
);

world.test('on a phone in German, the picker fills the screen', async () => {
  await switchOn('giphy');
  const ada = await world.user({ name: 'Ada Telefon' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const { route } = await topicOf(ada, 'telefon');
  const page = await world.open(ada, route, { device: 'phone' });
  await page.getByRole('textbox', { name: 'Nachricht', exact: true }).click();
  await page.getByRole('button', { name: 'Weitere Werkzeuge' }).click();
  await page.getByRole('menuitem', { name: /^GIF/ }).click();
  await option(page, 'popular 0 GIF').waitFor();
  assert.equal(service.searches.at(-1)?.searchParams.get('rating'), 'g');
  await dialog(page).getByRole('searchbox', { name: 'GIFs suchen' }).fill('katzen');
  await option(page, 'katzen 0 GIF').waitFor();
  assert.equal(service.searches.at(-1)?.searchParams.get('lang'), 'de');
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= 390));
  await checkAccessibility(page, 'the picker of GIFs on a phone', { part: 'overlays' });
  await option(page, 'katzen 0 GIF').click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.waitForFunction(() => /^\[katzen 0 GIF\.gif\]/.test(document.querySelector('textarea')?.value ?? ''));
});
