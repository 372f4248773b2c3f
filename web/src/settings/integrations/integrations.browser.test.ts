import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility, checkAccessibilityEverywhere } from '../../../testing/axe.ts';
import { browserWorld, type OpenOptions, type Person } from '../../../testing/browser-world.ts';

const world = browserWorld();

/** The part of a page that is not the same everywhere. */
const MAIN = { part: 'main' } as const;

/** The newest message that the person can see: its sender, its channel or recipients, and its topic. */
async function newestOf({ client }: Person) {
  const { messages } = await client.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
  return messages[0];
}

/** The URL that the page shows. */
async function urlIn(page: Page): Promise<URL> {
  const shown = page.getByRole('region', { name: 'URL' }).getByRole('code');
  return new URL(await shown.innerText());
}

/** Finds an integration by a word, chooses a channel and a topic, and creates the bot. */
async function setUp(
  page: Page,
  { word, title, channel, topic }: Record<'word' | 'title' | 'channel' | 'topic', string>,
) {
  await page.getByRole('searchbox', { name: 'Search integrations' }).fill(word);
  await page.getByText('1 integration', { exact: true }).waitFor();
  await page.getByRole('link', { name: new RegExp(`^${title}`) }).press('Enter');
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByRole('combobox', { name: 'Channel' }).fill(channel);
  await page.getByRole('option', { name: channel }).click();
  await page.getByRole('textbox', { name: 'Topic' }).fill(topic);
  await page.getByRole('textbox', { name: 'Topic' }).press('Enter');
  await page.getByRole('button', { name: 'Copy the URL' }).waitFor();
}

for (const device of ['desktop', 'phone'] as const satisfies readonly OpenOptions['device'][]) {
  world.test(`a member finds an integration, creates its bot and sees a test message, on a ${device}`, async () => {
    const ada = await world.user({ name: `Ada ${device}` });
    const channel = `alerts-${device}`;
    const channelId = await world.server.emptyChannel(ada.client, channel);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await world.open(ada, '#settings/integrations', { device, permissions });
    await setUp(page, { word: 'zen', title: 'Zendesk', channel, topic: 'tickets' });

    const url = await urlIn(page);
    assert.equal(url.pathname, '/api/v1/external/zendesk');
    assert.deepEqual([url.searchParams.get('stream'), url.searchParams.get('topic')], [String(channelId), 'tickets']);
    await page.getByRole('button', { name: 'Copy the URL' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await until(async () => (await copied()) === url.href, 'the copied URL');
    await page.getByRole('button', { name: 'Copy the text' }).click();
    await until(async () => /"ticket_id"/.test(await copied()), 'the copied template');
    await page.getByText('Events without a message').click();
    await checkAccessibility(page, `an integration on a ${device}`, MAIN);

    await page.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByRole('link', { name: 'Show it' }).click();
    await page.getByRole('article').filter({ hasText: 'Zendesk' }).first().waitFor();
    const { sender_full_name: sender, display_recipient: recipient, subject } = await newestOf(ada);
    assert.deepEqual([sender, recipient, subject], ['Zendesk', channel, 'tickets']);
    await ada.client.ok('DELETE', `/bots/${(await newestOf(ada)).sender_id}`);
  });
}

world.test(
  'the gallery has no problem of accessibility, filters by category, and comes back to the same place',
  async () => {
    const ada = await world.user({ name: 'Ada' });
    const page = await world.open(ada, '#settings/integrations');
    const link = (name: RegExp) => page.getByRole('main').getByRole('link', { name });
    await link(/^Zabbix/).waitFor();
    await checkAccessibilityEverywhere(page, 'the gallery of integrations', MAIN);
    await page.getByRole('button', { name: /Category/ }).click();
    await page.getByRole('option', { name: 'Version control' }).click();
    await link(/^Zabbix/).waitFor({ state: 'detached' });
    await link(/^GitLab/).click();
    await page.getByRole('heading', { name: 'GitLab' }).waitFor();
    await page.goBack();
    await link(/^GitLab/)
      .and(page.locator(':focus'))
      .waitFor();
    await untilEqual(() => link(/^Zabbix/).count(), 0);
    await page.getByRole('searchbox', { name: 'Search integrations' }).fill('loom');
    await page.getByText(/^No integration has these words/).waitFor();
  },
);

world.test(
  'another bot of the user serves too, writes to the user without a channel, and its secret is in the URL',
  async () => {
    const ada = await world.user({ name: 'Ada' });
    const bot = await ada.client.ok('POST', '/bots', { full_name: 'Shuttle', short_name: 'shuttle', bot_type: 2 });
    const page = await world.open(ada, '#settings/integrations/github');
    await page.getByRole('button', { name: /A new bot/ }).click();
    await page.getByRole('option', { name: 'Shuttle' }).click();
    await page.getByRole('textbox', { name: 'Secret' }).fill('warp & weft');
    await page.getByRole('button', { name: 'Show the URL' }).click();
    await page.getByRole('button', { name: 'Copy the URL' }).waitFor();
    const { searchParams } = await urlIn(page);
    assert.deepEqual(
      [...searchParams],
      [
        ['api_key', bot.api_key],
        ['webhook_secret', 'warp & weft'],
      ],
    );
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByText('The bot has posted the message.').waitFor();
    const { sender_id: senderId, type } = await newestOf(ada);
    assert.deepEqual([senderId, type], [bot.user_id, 'private']);
  },
);

world.test('a second bot of an integration gets a name and an address of its own', async () => {
  const ada = await world.user({ name: 'Ada' });
  await ada.client.ok('POST', '/bots', { full_name: 'Grafana', short_name: 'grafana', bot_type: 2 });
  const page = await world.open(ada, '#settings/integrations/grafana');
  await page.getByRole('button', { name: 'Create the bot' }).click();
  await page.getByRole('button', { name: 'Copy the URL' }).waitFor();
  const { bots } = await ada.client.ok('GET', '/bots');
  assert.deepEqual(bots.map((one: { full_name: string }) => one.full_name).toSorted(), ['Grafana', 'Grafana 2']);
});

world.test('a refused test message says why', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#settings/integrations/json');
  await page.getByRole('button', { name: 'Create the bot' }).click();
  await page.getByRole('button', { name: 'Copy the URL' }).waitFor();
  world.expectProblems('status 401');
  const { members } = await ada.client.ok('GET', '/users');
  const { user_id } = members.find((one: { full_name: string }) => one.full_name === 'JSON');
  await ada.client.ok('POST', `/bots/${user_id}/api_key/regenerate`);
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page
    .getByRole('alert')
    .getByText(/API key/)
    .waitFor();
});

world.test('who may not create bots sees why, and can read the steps', async () => {
  const guest = await world.user({ name: 'Gus', role: 600 });
  const page = await world.open(guest, '#settings/integrations/github');
  await page.getByText('A bot posts the messages, and you cannot create bots. Guests cannot do this.').waitFor();
  await page.getByRole('heading', { name: 'Steps at the other service' }).waitFor();
  await untilEqual(() => page.getByRole('button', { name: 'Create the bot' }).count(), 0);
});

world.test('the gallery is German for Germans', async () => {
  const ada = await world.user({ name: 'Ada' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#settings/integrations', { device: 'phone' });
  await page.getByRole('searchbox', { name: 'Integrationen suchen' }).fill('überwachung');
  await page.getByRole('link', { name: /^Grafana/ }).click();
  await page.getByRole('heading', { name: 'Schritte beim anderen Dienst' }).waitFor();
});

world.test('the page of an integration is German for Germans, and fits a phone', async () => {
  const ada = await world.user({ name: 'Ada' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#settings/integrations/zabbix', { device: 'phone' });
  await page.getByRole('heading', { name: 'Schritte beim anderen Dienst' }).waitFor();
  await page.locator('p:lang(de)').filter({ hasText: 'Probleme von Hosts, und wann sie behoben sind.' }).waitFor();
  await page.locator('ol:lang(de) > li').filter({ hasText: 'Füge das Skript unten ein.' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'hostname ({HOST.NAME})' }).waitFor();
  await checkAccessibility(page, 'an integration in German on a phone', MAIN);
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

world.test('who reads the app in English reads the steps in the language of the account, marked as such', async () => {
  const ada = await world.user({ name: 'Ada' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'fr' });
  const page = await world.open(ada, '#settings/integrations/jenkins');
  await page.getByRole('heading', { name: 'Steps at the other service' }).waitFor();
  await page.locator('ol:lang(fr)').getByText('Collez l’URL et enregistrez.', { exact: true }).waitFor();
});
