import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

/** React Aria announces a button that waits by the ids of its texts, which are gone a moment later. */
const SECTION = { without: ['role-img-alt'], part: 'main' } as const;

world.test('an owner invites by link and by mail, and revokes an invitation', async () => {
  const page = await world.open(world.owner, '#invite');
  await page.getByRole('radio', { name: 'By mail' }).click();
  await page.getByRole('textbox', { name: 'Email addresses' }).fill('new@example.com');
  await page.getByRole('button', { name: 'Send invitations' }).click();
  const pending = page.getByRole('list', { name: 'Pending invitations' });
  await pending.getByText('new@example.com').waitFor();
  await page.getByRole('radio', { name: 'By link' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue();
  assert.match(link, /\/join\//);
  await checkAccessibility(page, 'the invitations', SECTION);
  const mail = pending.getByRole('listitem').filter({ hasText: 'new@example.com' });
  await mail.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await mail.waitFor({ state: 'detached' });
});

world.test('a member changes name, theme, notifications and password, and sees the API key', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#settings/profile');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Weaver');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await checkAccessibility(page, 'the own profile', SECTION);

  await page.getByRole('link', { name: 'Preferences' }).click();
  await page.getByRole('button', { name: /Theme/ }).click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await page.locator('html[data-theme=dark]').waitFor();
  await page.getByRole('button', { name: /Theme/ }).click();
  await page.getByRole('option', { name: 'Like the system' }).click();
  await page.locator('html:not([data-theme])').waitFor();
  await checkAccessibility(page, 'the preferences', SECTION);

  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('checkbox', { name: 'Messages in channels: Desktop' }).check({ force: true });
  await page.getByText('Saved').waitFor();
  await page.getByRole('checkbox', { name: 'Direct messages and mentions: Mail' }).uncheck({ force: true });
  await until(async () => {
    const { user_settings: settings } = await ada.client.ok('POST', '/register', {
      fetch_event_types: ['user_settings'],
    });
    return settings.enable_offline_email_notifications === false;
  }, 'the stored setting');
  await checkAccessibility(page, 'the notifications', SECTION);

  await page.getByRole('link', { name: 'Account and privacy' }).click();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(ada.password);
  await page.getByRole('button', { name: 'Show the key' }).click();
  await page.getByRole('button', { name: 'Download zuliprc' }).waitFor();
  await page.getByRole('textbox', { name: 'Current password' }).fill(ada.password);
  await page.getByRole('textbox', { name: 'New password' }).fill('a new shuttle through the shed');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The password was changed').waitFor();
  await checkAccessibility(page, 'the account', SECTION);
});

world.test('what is typed while a setting is saved stays', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#settings/profile');
  const saving = Promise.withResolvers<void>();
  await page.route('**/json/settings', async (route) => {
    await saving.promise;
    await route.continue();
  });
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Ada Weaver');
  await name.press('Enter');
  await name.pressSequentially(' the Second');
  saving.resolve();
  await page.getByText('Saved').waitFor();
  await untilEqual(() => name.inputValue(), 'Ada Weaver the Second');
});

world.test('an owner changes the name, a permission and a member of the organization', async () => {
  const bob = await world.user({ name: 'Bob Reed' });
  const page = await world.open(world.owner, '#organization/organization-profile');
  await page.getByRole('textbox', { name: 'Name' }).fill('The Mill');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await checkAccessibility(page, 'the organization', SECTION);

  await page.getByRole('link', { name: 'Organization permissions' }).click();
  await page.getByRole('combobox', { name: 'Who can invite by mail' }).fill('Bob');
  await page.getByRole('option', { name: 'Bob Reed' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();

  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Filter by name or address' }).fill('bob');
  await page.getByRole('button', { name: 'Manage Bob Reed' }).click();
  await page.getByRole('button', { name: /Role/ }).click();
  await page.getByRole('option', { name: 'Moderator' }).click();
  // The notice can still be that of the change before.
  await until(async () => {
    const { user } = await world.owner.client.ok('GET', `/users/${bob.client.userId}`);
    return user.role === 300;
  }, 'the stored role');
  await page.getByRole('button', { name: 'Close' }).click();
  await checkAccessibility(page, 'the members', SECTION);
  await page.getByRole('link', { name: 'Organization settings' }).click();
  await page.getByRole('heading', { name: 'Joining' }).waitFor();
  await checkAccessibility(page, 'the settings of the organization', SECTION);
});

world.test('an owner creates a group and adds a member', async () => {
  await world.user({ name: 'Cleo Thread' });
  const page = await world.open(world.owner, '#groups/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('weavers');
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('link', { name: 'weavers' }).click();
  await page.getByRole('combobox', { name: 'Add people or groups' }).fill('Cleo');
  await page.getByRole('option', { name: 'Cleo Thread' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('grid').getByRole('link', { name: 'Cleo Thread' }).waitFor();
  await checkAccessibility(page, 'a group', SECTION);
});

world.test('an owner chooses when messages are deleted, or writes a number of days', async () => {
  const { client } = world.owner;
  const isSaved = (days: number) =>
    until(async () => {
      const { realm_message_retention_days: saved } = await client.ok('POST', '/register', {
        fetch_event_types: ['realm'],
      });
      return saved === days;
    }, `${days} stored days`);
  const page = await world.open(world.owner, '#organization/organization-settings');
  const button = page.getByRole('button', { name: /When messages are deleted/ });
  const choose = async (name: string) => {
    await button.click();
    await page.getByRole('option', { name }).click();
  };
  await choose('After 90 days');
  await isSaved(90);
  await choose('After another number of days…');
  await page.getByRole('spinbutton', { name: 'Days until messages are deleted' }).fill('45');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await isSaved(45);
  await button.filter({ hasText: 'After 45 days' }).waitFor();
  await choose('Never');
  await isSaved(-1);

  const channelId = await world.server.emptyChannel(client, 'brief channel');
  await page.goto(`${world.url}/#channels/${channelId}/brief/general`);
  await button.filter({ hasText: 'As in the organization' }).waitFor();
  await choose('After 30 days');
  await until(
    async () => (await client.ok('GET', `/streams/${channelId}`)).stream.message_retention_days === 30,
    '30 stored days of the channel',
  );
  await choose('As in the organization');
  await until(
    async () => (await client.ok('GET', `/streams/${channelId}`)).stream.message_retention_days === null,
    'no stored days of the channel',
  );
});
