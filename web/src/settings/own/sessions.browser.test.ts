import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

world.test('a user sees where the account is logged in, and ends one session and all others', async () => {
  const ada = await world.user({ name: 'Ada' });
  const lost = await world.open(ada, '#inbox', { device: 'phone' });
  world.forgetLogin(ada);
  const old = await world.open(ada, '#inbox');
  world.forgetLogin(ada);
  const page = await world.open(ada, '#settings/account-and-privacy');
  await page.getByRole('link', { name: 'Show sessions' }).click();
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  const own = sessions.filter({ hasText: 'This browser' });
  await own.getByText(/Private network, 127\.0\.0\.1|Private network, ::/).waitFor();
  await own.getByRole('button', { name: 'Log out' }).waitFor();
  await untilEqual(() => sessions.count(), 3);
  world.expectProblems('status 401', 'no response', /status 400: GET/);
  await sessions.getByRole('button', { name: 'End session' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
  await sessions.nth(2).waitFor({ state: 'detached' });
  // The one that was used last is the first of the others.
  await old.waitForURL(/\/login\//);
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End all other sessions' }).click();
  await lost.waitForURL(/\/login\//);
  await sessions.nth(1).waitFor({ state: 'detached' });
  await own.waitFor();
  await page.getByRole('link', { name: 'Show the API key' }).click();
  await page.getByText('With this key, a program can act as you.').waitFor();
});

world.test('the sessions are German on a phone', async () => {
  const ada = await world.user({ name: 'Ada' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#settings/sessions', { device: 'phone' });
  await page.getByRole('list', { name: 'Sitzungen' }).getByText('Dieser Browser').waitFor();
  await page.getByText(/^Privates Netz/).waitFor();
  await checkAccessibility(page, 'the sessions', { part: 'main' });
});
