import { plainPicture } from '@heddle/server/testing/clients/uploading.ts';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

const steps = (page: Page) => page.getByRole('region', { name: /^First steps for / });
const step = (page: Page, label: string) => steps(page).getByRole('listitem').filter({ hasText: label });

world.test('an owner follows the first steps, which tick themselves, and hides them for good', async () => {
  const { owner } = world;
  const page = await world.open(owner, '#recent', { device: 'phone' });
  // A failed request is about its own step only.
  world.expectProblems('status 500');
  const invites = /\/json\/invites$/;
  await page.context().route(invites, (request) => request.fulfill({ status: 500 }));
  await page.evaluate(() => location.assign('#inbox'));
  await step(page, 'Move your team here').waitFor();
  await page.context().unroute(invites);
  await steps(page).getByText('0 of 5 done').waitFor();
  await step(page, 'Use it on your phone')
    .getByText(/is a local address/)
    .waitFor();
  await checkAccessibility(page, 'the first steps of an owner');

  await steps(page).getByRole('link', { name: 'Create your first channel' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('looms');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await page.getByText('#looms is new. What comes next?').waitFor();
  // The box is open, so that the owner can write at once.
  const topic = page
    .getByRole('combobox', { name: /topic/i })
    .or(page.getByRole('textbox', { name: /topic/i }))
    .first();
  await until(() => topic.evaluate((field) => field === document.activeElement), 'the focus in the box');
  // React Aria announces a button that waits by the ids of its texts. Then the texts are removed.
  await checkAccessibility(page, 'a new channel', { without: ['role-img-alt'] });
  await page.getByRole('button', { name: 'Add people' }).click();
  await page.getByRole('tab', { name: 'Members' }).waitFor();

  await page.goto(`${world.url}/#inbox`);
  await step(page, 'Create your first channel').getByText('Done').waitFor();
  await steps(page).getByRole('link', { name: 'Invite people' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page
    .getByText(/^(?:localhost|127\.0\.0\.1) is a local address\. People elsewhere cannot open the link\./)
    .waitFor();
  await page.goto(`${world.url}/#inbox`);
  await step(page, 'Invite people').getByText('Done').waitFor();
  await steps(page).getByRole('link', { name: 'Add a picture' }).click();
  const file = { name: 'icon.png', mimeType: 'image/png', buffer: await plainPicture(64, 64) };
  await page.getByLabel('Icon').setInputFiles(file);
  await page.getByText('Saved').waitFor();
  await page.goto(`${world.url}/#inbox`);
  await step(page, 'Add a picture').getByText('Done').waitFor();
  // With a channel and an invitation, the organization is in use, and an import cannot replace it.
  await steps(page).getByText('3 of 4 done').waitFor();

  await owner.client.ok('PATCH', '/settings', { default_language: 'de' });
  await page.reload();
  await page.getByRole('button', { name: 'Erste Schritte ausblenden' }).click();
  await page.getByRole('region', { name: /^Erste Schritte/ }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('main').first().waitFor();
  await world.settled(page);
  await untilEqual(() => page.getByRole('region', { name: /^Erste Schritte/ }).count(), 0);
});

world.test('a member has no first steps, and an address that leads nowhere leads on', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#nothing/here');
  await page.getByText('This address leads nowhere').waitFor();
  await checkAccessibility(page, 'an unknown address', { part: 'main' });
  await page.getByRole('main').getByRole('button', { name: 'Search messages' }).click();
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Go to the start' }).click();
  await page.getByRole('searchbox', { name: 'Filter the inbox' }).waitFor();
  await world.settled(page);
  await untilEqual(() => steps(page).count(), 0);

  world.expectProblems('status 404');
  await page.goto(`${world.url}/no/such/page`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await checkAccessibility(page, 'a page that is not there');
  await page.getByRole('link', { name: 'Open your inbox' }).click();
  await page.getByRole('searchbox', { name: 'Filter the inbox' }).waitFor();
});
