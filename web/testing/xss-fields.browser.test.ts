/** Texts of published XSS collections in every text field of the organization, and all places that show them. */
import assert from 'node:assert/strict';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { upload } from '@heddle/server/testing/clients/user-files.ts';
import type { Page } from 'playwright-core';
import { ORGANIZATION_SECTIONS, OWN_SECTIONS } from '../src/base/settings-sections.ts';
import { browserWorld } from './browser-world.ts';
import { drawn } from './scenes.ts';
import { scriptsThatRan, watchScripts, XSS_PAYLOADS } from './xss-payloads.ts';

const world = browserWorld();

/** A field has at most so many of the payloads. They differ from field to field. */
const PER_FIELD = 12;

let next = 0;

/** Without line breaks and other control characters, which fields of one line refuse. */
const IN_ONE_LINE = XSS_PAYLOADS.filter((one) => ![...one].some((character) => character < ' '));

/** Payloads that a field of this length can hold. */
function payloads(limit: number, count = PER_FIELD): string[] {
  const fitting = IN_ONE_LINE.filter((one) => one.length <= limit);
  next += 1;
  const step = Math.max(1, Math.floor(fitting.length / count));
  return fitting.filter((_, index) => (index + next) % step === 0).slice(0, count);
}

/** The payloads as names of people, which have no `*`, `` ` ``, `\`, `>`, `"` or `@`. A browser closes the tag at the next `>`. */
function names(): string[] {
  const stripped = IN_ONE_LINE.map((one) => one.replaceAll(/[*`\\>"@]/g, ' ').trim());
  return [...new Set(stripped)].filter((one) => one.startsWith('<') && one.length > 10 && one.length <= 90).slice(0, 8);
}

interface Seeded {
  readonly channelId: number;
  readonly group: number;
  readonly userId: number;
  /** One text of each kind that must be on the screen. */
  readonly shown: Readonly<Record<'channel' | 'topic' | 'person' | 'group' | 'field' | 'folder', string>>;
}

/** People with payloads as names, statuses and values of their profiles. */
async function seedPeople(fieldIds: readonly number[]): Promise<TestClient[]> {
  const statuses = payloads(60);
  const values = payloads(50);
  const people: TestClient[] = [];
  for (const [index, name] of names().entries()) {
    const { client } = await world.user({ name: `Visitor ${index}` });
    await client.ok('PATCH', '/settings', { full_name: name });
    await client.ok('POST', '/users/me/status', { status_text: statuses[index] ?? '<b>', emoji_name: 'coffee' });
    const data = fieldIds.map((id, place) => ({ id, value: values[(index + place) % values.length] }));
    await client.ok('PATCH', '/users/me/profile_data', { data });
    people.push(client);
  }
  return people;
}

/** Creates all things of an organization with payloads as texts. */
async function seed(): Promise<Seeded> {
  const { client: owner } = world.owner;
  const fieldNames = payloads(40, 6);
  const hints = payloads(80);
  const fieldIds: number[] = [];
  for (const [index, name] of fieldNames.entries()) {
    const field = { name, hint: hints[index] ?? '', field_type: 1, display_in_profile_summary: index < 2 };
    fieldIds.push(Number((await owner.ok('POST', '/realm/profile_fields', field)).id));
  }
  const people = await seedPeople(fieldIds);
  const [first] = people;
  assert(first !== undefined);
  const [name = ''] = payloads(40);
  await owner.ok('PATCH', '/realm', { name, description: payloads(200).join(' ') });
  const folders: number[] = [];
  const folderNames = payloads(60);
  for (const folder of folderNames) {
    const made = await owner.ok('POST', '/channel_folders/create', {
      name: folder,
      description: payloads(90)[0] ?? '',
    });
    folders.push(Number(made.channel_folder_id));
  }
  const channels = payloads(60);
  const channelIds: number[] = [];
  for (const [index, channel] of channels.entries()) {
    const id = await world.server.emptyChannel(owner, channel, { principals: people.map(({ userId }) => userId) });
    const description = payloads(300).at(index) ?? '<b>';
    await owner.ok('PATCH', `/streams/${id}`, { description, folder_id: folders[index % folders.length] });
    channelIds.push(id);
  }
  const [channelId] = channelIds;
  assert(channelId !== undefined);
  const topics = payloads(60, 60);
  for (const [index, topic] of topics.entries()) {
    const sender = people[index % people.length] ?? first;
    await sender.send(channelId, topic, `@**all** ${XSS_PAYLOADS[index] ?? ''}`);
  }
  const groups = payloads(100);
  const groupIds: number[] = [];
  for (const group of groups) {
    const members = people.map(({ userId }) => userId);
    const made = await owner.ok('POST', '/user_groups/create', { name: group, description: group, members });
    groupIds.push(Number(made.user_group_id));
  }
  const [group] = groupIds;
  assert(group !== undefined);
  await seedOwnThings(owner, channelId, people);
  const [topic = '', person = ''] = [topics.at(-1), names()[0]];
  const shown = { channel: channels[0] ?? '', topic, person, group: groups[0] ?? '', field: fieldNames[0] ?? '' };
  return { channelId, group, userId: first.userId, shown: { ...shown, folder: folderNames[0] ?? '' } };
}

/** Files, snippets, drafts, scheduled messages, reminders, alert words and direct messages of the owner. */
async function seedOwnThings(owner: TestClient, channelId: number, people: readonly TestClient[]): Promise<void> {
  const links: string[] = [];
  for (const name of payloads(100)) {
    const url = await upload(world.server.url, owner, 'warp and weft', { name });
    links.push(`[${name.replaceAll(/[[\]]/g, ' ')}](${url})`);
  }
  await owner.send(channelId, 'files', links.join('\n'));
  for (const title of payloads(60)) await owner.ok('POST', '/saved_snippets', { title, content: title });
  const timestamp = Math.floor(Date.now() / 1000);
  const drafts = payloads(60).map((text) => ({
    type: 'stream',
    to: [channelId],
    topic: text,
    content: text,
    timestamp,
  }));
  await owner.ok('POST', '/drafts', { drafts });
  const later = timestamp + 86_400;
  for (const content of payloads(60, 6)) {
    const message = { type: 'channel', to: channelId, topic: content, content };
    await owner.ok('POST', '/scheduled_messages', { ...message, scheduled_delivery_timestamp: later });
  }
  for (const person of people) {
    const id = await person.direct([owner.userId], payloads(200)[0] ?? '');
    const note = payloads(100)[0] ?? '';
    await owner.ok('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: later, note });
  }
  await owner.ok('POST', '/users/me/alert_words', { alert_words: payloads(60) });
}

/** Opens a place, moves over everything in it, and fails if a payload has run. */
async function look(page: Page, place: string): Promise<void> {
  await page.getByRole('main').first().waitFor();
  await world.settled(page);
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('*')) {
      part.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      part.dispatchEvent(new Event('toggle'));
    }
  });
  await drawn(page);
  assert.deepEqual(await scriptsThatRan(page), [], place);
}

world.test('names and texts of published XSS collections run no script in any view', async () => {
  const { channelId, group, userId, shown } = await seed();
  // Previews of pictures that do not exist.
  world.expectProblems('external_content');
  const first = await world.open(world.owner);
  await watchScripts(first.context());
  const page = await world.open(world.owner, '#inbox', { beside: first });
  const topic = encodeURIComponent(shown.topic).replaceAll('.', '%2E').replaceAll('%', '.');
  const routes: readonly [route: string, text?: string][] = [
    ['#inbox', shown.topic],
    ['#recent', shown.topic],
    ['#feed'],
    [`#narrow/channel/${channelId}`, shown.channel],
    [`#narrow/channel/${channelId}/topic/${topic}`, shown.topic],
    [`#narrow/channel/${channelId}/topic/files`],
    ['#narrow/is/dm'],
    ['#narrow/is/mentioned'],
    [`#narrow/dm/${userId}`, shown.person],
    [`#user/${userId}`, shown.field],
    ['#drafts'],
    ['#scheduled'],
    ['#reminders'],
    ['#channels/subscribed', shown.channel],
    ['#channels/available'],
    ['#channels/new'],
    [`#channels/${channelId}/x/general`],
    [`#channels/${channelId}/x/personal`],
    [`#channels/${channelId}/x/subscribers`, shown.person],
    ['#groups/all', shown.group],
    [`#groups/${group}`],
    ['#invite'],
    ['#settings/profile', shown.field],
    ...Object.keys(OWN_SECTIONS).map((section): [string] => [`#settings/${section}`]),
    ...Object.keys(ORGANIZATION_SECTIONS).map((section): [string] => [`#organization/${section}`]),
    ['#organization/profile-field-settings', shown.field],
    ['#organization/users', shown.person],
  ];
  for (const [route, text] of routes) {
    await page.goto(`${world.url}/${route}`);
    if (text !== undefined) await page.getByText(text).first().waitFor();
    await look(page, route);
  }
  await lookWhileWriting(page, `${world.url}/#narrow/channel/${channelId}/topic/files`);
});

/** The lists and pickers that appear while a person types. */
async function lookWhileWriting(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  for (const typed of ['@<', '#<', '@_<', '/<']) {
    await box.fill('');
    await box.pressSequentially(typed);
    await look(page, `suggestions for ${typed}`);
  }
  await box.fill(payloads(200, 60).join('\n'));
  await page.keyboard.press('Alt+p');
  await look(page, 'the preview');
  await page.goto(new URL('/#inbox', url).href);
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to' }).fill('<');
  await page.getByRole('option').first().waitFor();
  await look(page, 'the palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill('<img');
  await page.getByRole('option').first().waitFor();
  await look(page, 'the search');
}

world.test('the server refuses names of emoji that are not plain words', async () => {
  const { client } = world.owner;
  for (const name of payloads(60)) {
    const { status } = await client.call('POST', `/realm/emoji/${encodeURIComponent(name)}`);
    assert.notEqual(status, 200, name);
  }
});
