import assert from 'node:assert/strict';
import { checkAccessibilityEverywhere } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

/** React Aria announces a button that waits by the ids of its texts, which are gone a moment later. */
const without = ['role-img-alt'];

world.test('an owner invites by link and by mail, and revokes an invitation', async () => {
  world.expectProblems('gravatar.com');
  const page = await world.open(world.owner, '#invite');
  await page.getByRole('textbox', { name: 'Email addresses' }).fill('new@example.com');
  await page.getByRole('button', { name: 'Send invitations' }).click();
  const pending = page.getByRole('list', { name: 'Pending invitations' });
  await pending.getByText('new@example.com').waitFor();
  await page.getByRole('radio', { name: 'By link' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue();
  assert.match(link, /\/join\//);
  await checkAccessibilityEverywhere(page, 'the invitations', { without });
  const mail = pending.getByRole('listitem').filter({ hasText: 'new@example.com' });
  await mail.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await mail.waitFor({ state: 'detached' });
});

world.test('a member changes name, theme, notifications and password, and sees the API key', async () => {
  world.expectProblems('gravatar.com');
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#settings/profile');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Weaver');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await checkAccessibilityEverywhere(page, 'the own profile', { without });

  await page.getByRole('link', { name: 'Preferences' }).click();
  await page.getByRole('button', { name: /Theme/ }).click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await page.locator('html[data-theme=dark]').waitFor();
  await page.getByRole('button', { name: /Theme/ }).click();
  await page.getByRole('option', { name: 'Like the system' }).click();
  await page.locator('html:not([data-theme])').waitFor();
  await checkAccessibilityEverywhere(page, 'the preferences', { without });

  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('checkbox', { name: 'Messages in channels: Desktop' }).check({ force: true });
  await page.getByText('Saved').waitFor();
  await checkAccessibilityEverywhere(page, 'the notifications', { without });

  await page.getByRole('link', { name: 'Account and privacy' }).click();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(ada.password);
  await page.getByRole('button', { name: 'Show the key' }).click();
  await page.getByRole('button', { name: 'Download zuliprc' }).waitFor();
  await page.getByRole('textbox', { name: 'Current password' }).fill(ada.password);
  await page.getByRole('textbox', { name: 'New password' }).fill('a new shuttle through the shed');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The password was changed').waitFor();
  await checkAccessibilityEverywhere(page, 'the account', { without });
});
