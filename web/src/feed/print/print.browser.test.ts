import assert from 'node:assert/strict';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { checkAccessibilityEverywhere } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

world.test('a topic is printed as a whole, without the app around it, in light colours', async () => {
  const [ada, bob, carol] = [await world.user({ name: 'Ada' }), await world.user({ name: 'Bob' }), await world.user()];
  const principals = [bob.client.userId, carol.client.userId];
  const channelId = await world.server.emptyChannel(ada.client, 'design', { principals });
  // The first message of a day.
  const id = await carol.client.send(channelId, 'paper', 'noise');
  const sent_at = new Date('2024-03-05T12:00:00Z');
  await world.server.app.db.updateTable('messages').set({ sent_at }).where('id', '=', id).execute();
  await ada.client.ok('POST', `/users/me/muted_users/${carol.client.userId}`);
  for (let index = 0; index < 130; index += 1) await bob.client.send(channelId, 'paper', `line ${index}`);
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/paper`, { theme: 'dark' });
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-has-printed', '');
  });
  await page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().click();
  await page.getByRole('menuitem', { name: /^Print…/ }).click();
  await page.getByText('131 messages').waitFor();
  await checkAccessibilityEverywhere(page, 'the dialog that prints', { part: 'overlays' });
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await page.locator('body[data-has-printed]').waitFor();
  await page.emulateMedia({ media: 'print' });
  const paper = page.locator('[data-printed]');
  await untilEqual(() => paper.getByText(/^line \d+$/).count(), 130);
  assert(await paper.getByText('line 0', { exact: true }).isVisible());
  assert(await paper.getByRole('heading', { name: /March 5, 2024/ }).isVisible());
  assert(await paper.getByText('Message of a muted person').isVisible());
  await untilEqual(() => paper.getByText('noise').count(), 0);
  await untilEqual(() => page.locator('main').isVisible(), false);
  assert.equal(await paper.evaluate((element) => getComputedStyle(element).colorScheme), 'light');
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  assert((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length > 1, 'several pages');
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await paper.waitFor({ state: 'detached' });
});

world.test('the keys of the browser for printing print the open conversation', async () => {
  const [ada, bob] = [await world.user({ name: 'Ada' }), await world.user({ name: 'Bob' })];
  await bob.client.direct([ada.client.userId], 'the bill');
  const page = await world.open(ada, `#narrow/dm/${bob.client.userId}`, { device: 'phone' });
  await page.getByText('the bill').waitFor();
  const dialog = page.getByRole('dialog', { name: 'Print the conversation' });
  await page.keyboard.press('Control+p');
  await dialog.getByText('1 message').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // Who closes it while it loads stops the request.
  await page.context().route(/num_before=1000/, () => undefined);
  const [asked, ended] = [page.waitForEvent('request', isPrint), page.waitForEvent('requestfailed', isPrint)];
  await page.keyboard.press('Control+p');
  await asked;
  await page.keyboard.press('Escape');
  await ended;
});

function isPrint(request: { url(): string }): boolean {
  return request.url().includes('num_before=1000');
}
