import assert from 'node:assert/strict';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

world.test('what is typed while a part loads reaches its field, and no shortcut runs', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#inbox');
  // The network delivers the search only after the user has typed.
  const typed = Promise.withResolvers<void>();
  let requests = 0;
  await page.route(/\/search-dialog-[^/]*\.js$/, async (route) => {
    requests += 1;
    await typed.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('main').first().waitFor();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.keyboard.press('/');
  // Each of these characters is a shortcut elsewhere.
  await page.keyboard.type('Ptcx');
  assert.equal(requests, 1);
  typed.resolve();
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.and(page.locator(':focus')).waitFor();
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === 'Ptcx');
  await field.pressSequentially('!');
  assert.equal(await field.inputValue(), 'Ptcx!');
  assert.equal(new URL(page.url()).hash, '#inbox');
});
