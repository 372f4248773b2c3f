import assert from 'node:assert/strict';
import { checkAccessibilityEverywhere } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

world.test('a topic is printed as a whole, without the app around it, in light colours', async () => {
  const [ada, bob] = [await world.user({ name: 'Ada' }), await world.user({ name: 'Bob' })];
  const channelId = await world.server.emptyChannel(ada.client, 'design', { principals: [bob.client.userId] });
  for (let index = 0; index < 130; index += 1) await bob.client.send(channelId, 'paper', `line ${index}`);
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/paper`, { theme: 'dark' });
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-has-printed', '');
  });
  await page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().click();
  await page.getByRole('menuitem', { name: /^Print…/ }).click();
  await page.getByText('130 messages').waitFor();
  await checkAccessibilityEverywhere(page, 'the dialog that prints', { part: 'overlays' });
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await page.locator('body[data-has-printed]').waitFor();
  await page.emulateMedia({ media: 'print' });
  const paper = page.locator('[data-printed]');
  assert.equal(await paper.getByText(/^line \d+$/).count(), 130);
  assert(await paper.getByText('line 0', { exact: true }).isVisible());
  assert.equal(await page.locator('main').isVisible(), false);
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
  await page.keyboard.press('Control+p');
  await page.getByRole('dialog', { name: 'Print the conversation' }).getByText('1 message').waitFor();
});
