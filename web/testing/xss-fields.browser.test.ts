/** Payloads of published XSS collections in every text field that people can fill. No view runs them. */
import assert from 'node:assert/strict';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Page } from 'playwright-core';
import { ORGANIZATION_SECTIONS, OWN_SECTIONS } from '../src/settings/sections.ts';
import { browserWorld } from './browser-world.ts';
import { sendFile } from './views/sample-organization.ts';
import { scriptsThatRan, watchScripts, XSS_PAYLOADS } from './xss-payloads.ts';

const world = browserWorld();

/** Payloads of at most so many characters, in one line, since fields of names are short. */
function payloadsOf(maxLength: number): readonly string[] {
  return XSS_PAYLOADS.filter((one) => one.length <= maxLength && !/\p{Cc}/u.test(one));
}

/** The names of people and bots cannot contain some characters. Browsers complete an element without its end. */
const NAMES = payloadsOf(60)
  .map((one) => one.replaceAll(/[*`\\>"@]/g, ''))
  .filter((one) => one.includes('<'));

/** The `index`-th payload that a field of this length can hold, so that all fields together hold all payloads. */
function payload(index: number, maxLength = 60): string {
  const fitting = payloadsOf(maxLength);
  return fitting[index % fitting.length] ?? '';
}

const HOUR_SECONDS = 3600;

/** A person who fills all fields. Returns the fragments of the places that show them. */
async function fillEverything(owner: TestClient): Promise<readonly string[]> {
  const later = Math.floor(Date.now() / 1000) + HOUR_SECONDS;
  const people = await Promise.all(
    NAMES.slice(0, 8).map((name, index) => world.server.user({ name: `${name} ${index}` })),
  );
  const [mallory] = people;
  assert(mallory !== undefined);
  for (const [index, person] of people.entries()) {
    await person.ok('POST', '/users/me/status', { status_text: payload(index) });
  }
  const ids = people.map(({ userId }) => userId);

  const folder = await owner.ok('POST', '/channel_folders/create', { name: payload(0), description: payload(1) });
  const channels: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    const { id } = await owner.ok('POST', '/channels/create', {
      name: payload(index * 3),
      description: payload(index * 3 + 1, 200),
      subscribers: [owner.userId, ...ids],
      ...(index % 2 === 0 && { folder_id: folder.channel_folder_id }),
    });
    channels.push(Number(id));
  }
  const [channel = 0] = channels;
  let message = 0;
  for (const topic of payloadsOf(60)) message = await mallory.send(channel, topic, `In the topic ${topic}`);
  await mallory.direct([owner.userId], payload(5, 200));
  await mallory.direct([owner.userId, ...ids.slice(1)], payload(6, 200));

  const { group_id: group } = await owner.ok('POST', '/user_groups/create', {
    name: payload(7).replace(/^@/, ''),
    description: payload(8, 200),
    members: [owner.userId, ...ids],
  });
  await owner.ok('POST', '/user_groups/create', { name: payload(13), description: payload(14), members: ids });
  await mallory.send(channel, 'mentions', `@*${payload(7)}* @**all** ${people.map(({ name }) => `@**${name}**`)}`);

  for (const [index, type] of [1, 2, 5, 7].entries()) {
    const hint = payload(index, 80);
    const { id } = await owner.ok('POST', '/realm/profile_fields', {
      name: payload(index + 3, 40),
      field_type: type,
      hint,
      display_in_profile_summary: index === 0,
      ...(type === 7 && {
        field_data: { subtype: 'custom', url_pattern: "https://example.com/'onclick=alert(1)/%(username)s" },
      }),
    });
    const value = type === 5 ? "https://example.com/'onclick='alert(1)" : payload(index + 4, 50);
    await mallory.ok('PATCH', '/users/me/profile_data', { data: [{ id, value }] });
  }

  await owner.ok('POST', '/drafts', {
    drafts: [
      { type: 'stream', to: [channel], topic: payload(9), content: payload(10, 200), timestamp: later },
      { type: 'private', to: [mallory.userId], topic: '', content: payload(11, 200), timestamp: later },
    ],
  });
  await owner.ok('POST', '/scheduled_messages', {
    type: 'channel',
    to: channel,
    topic: payload(12),
    content: payload(13, 200),
    scheduled_delivery_timestamp: later,
  });
  await owner.ok('POST', '/reminders', {
    message_id: message,
    scheduled_delivery_timestamp: later,
    note: payload(15, 200),
  });
  for (let index = 0; index < 6; index += 1) {
    await owner.ok('POST', '/saved_snippets', { title: payload(index * 2), content: payload(index * 2 + 1, 300) });
  }
  await owner.ok('POST', '/users/me/alert_words', { alert_words: [payload(1, 40), payload(4, 40)] });
  await owner.ok('POST', '/user_topics', { stream_id: channel, topic: payload(2), visibility_policy: 3 });
  await owner.ok('POST', '/realm/playgrounds', {
    name: payload(3),
    pygments_language: 'Python',
    url_template: "https://example.com/'onclick='alert(1)/{code}",
  });
  await owner.ok('POST', '/bots', { full_name: `${NAMES[9]} bot`, short_name: 'mallory' });
  for (const index of [0, 5, 9]) {
    await sendFile(
      world.server.url,
      owner,
      '/user_uploads',
      Buffer.from('x'),
      `${payload(index).replaceAll('/', '')}.txt`,
    );
  }
  await owner.ok('PATCH', '/realm', { name: payload(10, 40), description: payload(11, 200) });
  await owner.ok('POST', `/users/me/muted_users/${ids[3]}`);

  const topics = `#narrow/channel/${channel}`;
  return [
    '#inbox',
    '#recent',
    '#feed',
    topics,
    `#topics/channel/${channel}`,
    `#narrow/dm/${mallory.userId}-dm`,
    `#narrow/dm/${ids.join(',')}-group`,
    '#narrow/is/mentioned',
    `#narrow/search/${encodeURIComponent(payload(3)).replaceAll('%', '.')}`,
    '#drafts',
    '#scheduled',
    '#reminders',
    '#channels/subscribed',
    '#channels/new',
    ...['general', 'personal', 'subscribers'].map((tab) => `#channels/${channel}/name/${tab}`),
    '#groups/all',
    `#groups/${group}/name/general`,
    `#groups/${group}/name/members`,
    '#invite',
    `#user/${mallory.userId}`,
    ...Object.keys(OWN_SECTIONS).map((section) => `#settings/${section}`),
    ...Object.keys(ORGANIZATION_SECTIONS).map((section) => `#organization/${section}`),
  ];
}

/** Touches everything on the screen, so that handlers for the mouse and the focus would run. */
async function touchEverything(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('main *, nav *, [role=complementary] *, [role=dialog] *')) {
      part.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      part.dispatchEvent(new FocusEvent('focus'));
    }
  });
}

world.test('payloads in every text field run no script, wherever the app shows them', async () => {
  const { client: owner } = world.owner;
  const places = await fillEverything(owner);
  const first = await world.open(world.owner);
  await watchScripts(first.context());
  const page = await world.open(world.owner, '#inbox', { beside: first });
  // A payload that is shown as text proves that the fields are on the screen.
  await page.getByText('onerror=alert(1)').first().waitFor();
  const check = async (place: string) => {
    await touchEverything(page);
    assert.deepEqual(await scriptsThatRan(page), [], place);
  };
  for (const place of places) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, place);
    await page.waitForLoadState('networkidle');
    await check(place);
  }

  // Lists of choices.
  await page.keyboard.press('Control+k');
  const goTo = page.getByRole('combobox', { name: 'Go to' });
  for (const text of ['<', 'onerror', 'script', 'alert']) {
    await goTo.fill(text);
    await page.getByRole('option').first().waitFor();
    await check(`the palette with ${text}`);
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill('<');
  await page.getByRole('option').first().waitFor();
  await check('the search');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, places[5] ?? '');
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  for (const text of ['@', '#', '#<s', ':al']) {
    await box.fill('');
    await box.pressSequentially(text);
    await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().waitFor();
    await check(`the suggestions for ${text}`);
  }
  await box.fill(XSS_PAYLOADS.slice(0, 20).join('\n\n'));
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.waitForLoadState('networkidle');
  await check('the preview');
});
