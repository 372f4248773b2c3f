import { randomBytes } from 'node:crypto';
import { checkAccessibilityEverywhere } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

world.test(
  'an interrupted upload continues after a reload, and a failed import can be repeated or deleted',
  async () => {
    // Large enough for several requests.
    const file = { name: 'loom.zip', mimeType: 'application/zip', buffer: randomBytes(1_500_000) };
    await world.owner.client.ok('PATCH', '/settings', { default_language: 'de' });
    const page = await world.open(world.owner, '#organization/import');
    await checkAccessibilityEverywhere(page, 'the page of an import in German');
    const uploads = /\/tus\/\w+$/;
    await page.route(uploads, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()));
    world.expectProblems(/no response: PATCH/, /PATCH/);
    const begun = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 201,
    );
    await page.getByLabel('Archiv', { exact: true }).setInputFiles(file);
    const location = (await begun).headers().location ?? '';
    await page.getByRole('heading', { name: 'Das Archiv wird hochgeladen' }).waitFor();
    await page.reload();
    await page.unroute(uploads);
    await page.getByText('Das Hochladen von loom.zip wurde unterbrochen.').waitFor();
    const continued = page.waitForRequest((request) => request.method() === 'HEAD');
    await page.getByLabel('Archiv', { exact: true }).setInputFiles(file);
    const path = new URL((await continued).url()).pathname;
    if (!location.endsWith(path.slice(path.lastIndexOf('/'))))
      throw new Error(`${path} is another upload than ${location}`);
    await page.getByText(/Der Import ist gescheitert: /).waitFor({ timeout: 120_000 });
    await checkAccessibilityEverywhere(page, 'a failed import in German');
    await page.getByRole('button', { name: 'Import starten' }).click();
    await page.getByRole('heading', { name: 'loom.zip wird importiert' }).waitFor();
    await page.getByText(/Der Import ist gescheitert: /).waitFor({ timeout: 120_000 });
    await page.getByRole('button', { name: 'Archiv löschen' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archiv löschen' }).click();
    await page.getByRole('heading', { name: 'Von Slack, Mattermost, Zulip oder Rocket.Chat umziehen' }).waitFor();
  },
);

world.test('an organization in use is not replaced, and the page says what to do instead', async () => {
  await world.owner.client.ok('PATCH', '/settings', { default_language: 'en' });
  await world.user({ name: 'Ada' });
  const page = await world.open(world.owner, '#organization/import');
  await page.getByText('This organization is already in use.').waitFor();
  await page.goto(`${world.url}/#inbox`);
  await world.settled(page);
  if (await page.getByText('Move from Slack').isVisible()) throw new Error('the inbox offers an import');
});
