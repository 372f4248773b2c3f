import assert from 'node:assert/strict';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

/** The fields and buttons of the page that cannot be used. */
const greyFields = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main :disabled, main [aria-disabled=true]')].map(({ outerHTML }) => outerHTML),
  );

const main = (page: Page) => page.getByRole('main').first();

world.test('who may only read settings sees who can change them, and values as text', async () => {
  const { owner } = world;
  const [ada, bob] = [await world.user({ name: 'Ada' }), await world.user({ name: 'Bob' })];
  const channelId = await world.server.emptyChannel(ada.client, 'looms');
  await ada.client.ok('PATCH', `/streams/${channelId}`, {
    description: 'Woven by hand',
    can_administer_channel_group: { new: { direct_members: [ada.client.userId], direct_subgroups: [] } },
  });

  const page = await world.open(bob, `#channels/${channelId}/looms/general`);
  await page.getByText(`Only Ada and ${owner.name} can change this.`).waitFor();
  const text = await main(page).innerText();
  for (const value of ['Name\nlooms', 'Description\nWoven by hand', 'Who can read\nPublic'])
    assert(text.includes(value), value);
  assert.equal(text.match(/can change this/g)?.length, 1, text);
  assert.deepEqual(await greyFields(page), []);
  await untilEqual(() => main(page).getByRole('textbox').count(), 0);
  await checkAccessibility(page, 'a channel that a member may only read', { part: 'main' });

  // Who administers the channel has fields, and reads what only owners decide.
  const own = await world.open(ada, `#channels/${channelId}/looms/general`);
  await main(own).getByRole('textbox', { name: 'Name' }).waitFor();
  await main(own).getByText('Only owners can change this.').waitFor();
  assert.deepEqual(await greyFields(own), []);

  for (const section of [
    'organization-profile',
    'organization-settings',
    'organization-permissions',
    'organization-level-user-defaults',
  ]) {
    await page.goto(`${world.url}/#organization/${section}`);
    await page.getByText(`Only ${owner.name} can change this.`).waitFor();
    assert.equal((await main(page).innerText()).match(/can change this/g)?.length, 1, section);
    assert.deepEqual(await greyFields(page), [], section);
  }
});

world.test('many people who can change settings are named by their role, in German on a phone', async () => {
  const bob = await world.user({ name: 'Bob' });
  for (const name of ['Cem', 'Dora', 'Eli']) {
    const { client } = await world.user({ name });
    await world.owner.client.ok('PATCH', `/users/${client.userId}`, { role: 200 });
  }
  const { group_id: groupId } = await world.owner.client.ok('POST', '/user_groups/create', {
    name: 'weavers',
    description: 'Who weave',
    members: [bob.client.userId],
  });
  await bob.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(bob, '#organization/organization-profile', { device: 'phone' });
  await page.getByText('Nur Administratoren können das ändern.').waitFor();
  await page.goto(`${world.url}/#groups/${groupId}`);
  await page.getByText(/^Nur .* (?:kann|können) das ändern\.$/).waitFor();
  await page.getByText('Who weave').waitFor();
  assert.deepEqual(await greyFields(page), []);
  await checkAccessibility(page, 'a group that a member may only read', { part: 'main' });
  // Who may add members reads the sentence only above what it is about.
  await world.owner.client.ok('PATCH', `/user_groups/${groupId}`, {
    can_add_members_group: { new: { direct_members: [bob.client.userId], direct_subgroups: [] } },
  });
  await page.getByRole('combobox', { name: 'Personen oder Gruppen hinzufügen' }).waitFor();
  const sentence = page.getByText(/^Nur .* (?:kann|können) das ändern\.$/);
  const parts = page.getByRole('main').getByRole('heading', { level: 2 }).or(sentence);
  const texts = (await parts.allInnerTexts()).map((text) => text.replace(/^Nur .*/, 'Nur …'));
  assert.deepEqual(texts, ['Nur …', 'Über die Gruppe', 'Mitglieder', 'Nur …', 'Berechtigungen']);
});
