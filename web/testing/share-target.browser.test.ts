/** Another app shares texts and files with the installed app: the service worker takes them. */
import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { browserWorld } from './browser-world.ts';
import { faultScene } from './fault-scene.ts';
import { faultyFront } from './faulty-front.ts';
import { canStartOffline } from './offline.ts';
import { boxOf, messageOf } from './views.ts';

const front = faultyFront();
const world = browserWorld({ front: front.start });

/** A picture of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface SharedParts {
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
  readonly files?: readonly { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }[];
}

/** Sends the form of the manifest, as the system does when somebody chooses the app. */
async function share(page: Page, { files = [], ...texts }: SharedParts): Promise<void> {
  await page.evaluate((fields) => {
    const form = document.createElement('form');
    Object.assign(form, { action: '/share', method: 'post', enctype: 'multipart/form-data', id: 'shared' });
    for (const [name, value] of Object.entries(fields)) {
      const field = document.createElement('textarea');
      Object.assign(field, { name, value });
      form.append(field);
    }
    const field = document.createElement('input');
    Object.assign(field, { name: 'files', type: 'file', multiple: true });
    form.append(field);
    document.body.append(form);
  }, texts);
  await page.locator('#shared input').setInputFiles([...files]);
  await page.locator('#shared').evaluate((form) => (form as HTMLFormElement).requestSubmit());
  await page.waitForURL(/#share/);
}

const hasShared = (page: Page) => page.evaluate(() => caches.has('heddle-shared'));

world.test('shared texts and files reach the conversation that the user chooses, also without a server', async () => {
  world.expectProblems('no response', 'status 5', 'ERR_EMPTY_RESPONSE', 'Failed to fetch', 'Heddle continued');
  const { ada, route } = await faultScene(world);
  const page = await world.open(ada, route, { device: 'phone', hasWorker: true });
  await messageOf(page, 'before the fault').waitFor();
  await canStartOffline(page);
  // The server gets no form.
  front.proxy.decide = ({ path }) => (path === '/share' ? 'refuse' : 'pass');
  await share(page, {
    title: 'Looms & more',
    text: 'Looms & more',
    url: 'https://example.com/a?b=1#c',
    files: [
      { name: 'Webstuhl grün.png', mimeType: 'image/png', buffer: PICTURE },
      { name: 'threads.txt', mimeType: 'text/plain', buffer: Buffer.from('warp and weft') },
    ],
  });
  assert.equal(new URL(page.url()).hash, '#share');
  await page.getByText('Looms & more').waitFor();
  await page.getByText(/Webstuhl grün\.png.*threads\.txt/).waitFor();
  const choose = () =>
    page.getByRole('list', { name: 'Recent conversations' }).getByRole('button', { name: /looms/ }).tap();
  await choose();
  const text = () => boxOf(page).inputValue();
  await until(async () => /\[threads\.txt\]\(\/user_uploads\//.test(await text()), 'the second file');
  await until(async () => /\[Webstuhl grün\.png\]\(\/user_uploads\//.test(await text()), 'the first file');
  assert.match(await text(), /Looms & more\s+https:\/\/example\.com\/a\?b=1#c/);
  assert.equal((await text()).match(/Looms & more/g)?.length, 1);
  await until(async () => !(await hasShared(page)), 'the cache to go');
  await boxOf(page).fill('');

  // In a tunnel.
  front.proxy.decide = () => 'refuse';
  front.proxy.cutAll();
  await share(page, { text: 'read this in a tunnel' });
  await page.getByText('read this in a tunnel').waitFor();
  await page.getByRole('button', { name: 'Another conversation' }).waitFor();
  front.proxy.decide = () => 'pass';
});

world.test('a logout removes what was shared and not sent', async () => {
  world.expectProblems('status 401', 'no response');
  const { ada, route } = await faultScene(world);
  const page = await world.open(ada, route, { hasWorker: true });
  world.forgetLogin(ada);
  await canStartOffline(page);
  await share(page, { text: 'a secret', files: [{ name: 'a.txt', mimeType: 'text/plain', buffer: PICTURE }] });
  await page.getByText('a.txt').waitFor();
  assert.equal(await hasShared(page), true);
  await page
    .getByRole('button', { name: new RegExp(ada.name) })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL(/\/login\//);
  await until(async () => !(await hasShared(page)), 'the cache to go');
});

world.test('what is shared is offered only to conversations in which the user can write', async () => {
  const { ada, bob } = await faultScene(world);
  const principals = [bob.client.userId];
  const archived = await world.server.emptyChannel(ada.client, 'broken loom', { principals });
  await bob.client.send(archived, 'farewell', 'it was a good loom');
  await world.owner.client.ok('DELETE', `/streams/${archived}`);
  const page = await world.open(ada, '#share/text/yarn', { device: 'phone' });
  const offered = page.getByRole('list', { name: 'Recent conversations' });
  await offered.getByRole('button', { name: /looms/ }).waitFor();
  await untilEqual(() => offered.getByRole('button', { name: /broken loom/ }).count(), 0);
});
