import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { writeZip } from '@heddle/operator/testing/imported.ts';
import { slackTeam } from '@heddle/server/testing/server/slack-team.ts';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();
const archive = join(tmpdir(), `heddle-import-page-${process.pid}.zip`);
after(() => rm(archive, { force: true }));

world.test('an owner moves a team from Slack, from the first page to an imported message', async () => {
  await writeZip(archive, await slackTeam());
  // Requests that meet the moment of the replacement are refused once, and the queue of the replaced organization ends.
  world.expectProblems(/status (?:400|401|503)/, /no response/);
  const page = await world.open(world.owner, '', { device: 'phone' });
  await page.getByText('Move from Slack, Mattermost, Zulip or Rocket.Chat').waitFor();
  await checkAccessibility(page, 'the offer of an import');
  await page.getByRole('link', { name: 'Move your team here' }).click();
  await page.getByRole('radio', { name: /Slack/ }).check();
  await page.getByLabel('Name of the organization').fill('The Loom');
  await page.getByLabel('Your email address there').fill('ada@weavers.example');
  await checkAccessibility(page, 'the choice of an archive');
  await page.getByLabel('Archive', { exact: true }).setInputFiles(archive);
  // The app loads the imported organization by itself, with the login of the owner.
  await page.getByRole('heading', { name: 'Your team has moved' }).waitFor({ timeout: 120_000 });
  await page
    .getByText('Everything in the archive was imported.')
    .or(page.getByRole('list', { name: 'Not imported' }))
    .first()
    .waitFor();
  await checkAccessibility(page, 'the report of an import');
  await page.getByRole('button', { name: 'Send the invitation mails' }).click();
  await page.getByText('3 people get a mail.').waitFor();
  await page.getByRole('link', { name: 'Read the imported messages' }).click();
  await page
    .getByRole('link', { name: /Which reed for the new pattern/ })
    .first()
    .click();
  await page.getByText('The fine one').first().waitFor();
});
