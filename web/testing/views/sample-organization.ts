/**
 * A small organization with people, channels, conversations and settings, as a team has after some weeks. Tests and pictures show the
 * views of the app with it.
 */
import assert from 'node:assert/strict';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { credentials } from '@heddle/server/testing/clients/user-files.ts';
import type { BrowserWorld, Person } from '../browser-world.ts';
import { createChannels } from './sample-channels.ts';
import { ownThings } from './sample-own-things.ts';
import { PEOPLE, type SamplePerson, type Short } from './sample-people.ts';
import { coast, portrait, rendered, tideChart, wave } from './sample-pictures.ts';
import { uploadFiles, writeMessages } from './sample-writing.ts';

export interface SampleOrganization {
  readonly people: Readonly<Record<Short, Person>>;
  /** The ids of the channels. */
  readonly channels: Readonly<Record<string, number>>;
  /** The ids of the messages that have a key. */
  readonly messages: Readonly<Record<string, number>>;
  /** The id of the user group `operators`. */
  readonly group: number;
  /** A person whose account is deactivated. */
  readonly deactivated: Person;
  /** A member who has just joined and has no messages. */
  readonly newcomer: Person;
}

const SVGS = {
  icon: wave(256),
  emoji: wave(64, true),
  morning: coast(1200, 800, 'morning'),
  noon: coast(1200, 800, 'noon'),
  evening: coast(1200, 800, 'evening'),
  chart: tideChart(1400, 720),
  ...portraits(),
};

type Pictures = Readonly<Partial<Record<string, Buffer>>> & Readonly<Record<keyof typeof SVGS, Buffer>>;

function portraits(): Record<`portrait of ${string}`, string> {
  const people = Object.entries<SamplePerson>(PEOPLE);
  return Object.fromEntries(
    people.flatMap(([short, { portrait: face }]) =>
      face === undefined ? [] : [[`portrait of ${short}`, portrait(face)]],
    ),
  );
}

/** Sends a file with a form, as programs do. */
export async function sendFile(
  url: string,
  client: TestClient,
  path: string,
  content: Buffer,
  name: string,
): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)], { type: 'image/png' }), name);
  const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers: credentials(client), body: form });
  assert.equal(response.status, 200, await response.text());
}

/** Creates the organization on the server of this world. */
export async function sampleOrganization(world: BrowserWorld): Promise<SampleOrganization> {
  const pictures = await rendered(SVGS);
  const people = await createPeople(world, pictures);
  const { client: owner } = people.mara;
  await describeOrganization(world, owner, pictures);
  const { group_id: group } = await groupOf(owner, people);
  const channels = await createChannels(owner, people);
  const files = await uploadFiles(world.server.url, people, pictures);
  const messages = await writeMessages(world, { people, channels, files });
  await ownThings(people, channels, messages);
  await fillProfiles(people);
  await administration(owner, channels);
  const newcomer = await world.user({ name: 'Ines Duarte', email: 'ines@tidewater.example' });
  const deactivated = await world.user({ name: 'Henrik Dahl', email: 'henrik@tidewater.example' });
  await owner.ok('DELETE', `/users/${deactivated.client.userId}`);
  for (const { client } of [newcomer, people.mara])
    await client.ok('PATCH', '/settings', { web_mark_read_on_scroll_policy: 3 });
  return { people, channels, messages, group: Number(group), newcomer, deactivated };
}

async function createPeople(world: BrowserWorld, pictures: Pictures): Promise<Record<Short, Person>> {
  const made: Partial<Record<Short, Person>> = {};
  for (const [short, { name, role }] of Object.entries<SamplePerson>(PEOPLE) as [Short, SamplePerson][]) {
    const options = { name, email: `${short}@tidewater.example`, ...(role !== undefined && { role }) };
    made[short] = short === 'mara' ? world.owner : await world.user(options);
  }
  const people = made as Record<Short, Person>;
  await people.mara.client.ok('PATCH', '/settings', { full_name: PEOPLE.mara.name });
  await Promise.all(
    (Object.entries(PEOPLE) as [Short, SamplePerson][]).map(([short, person]) =>
      introduce(world.server.url, people[short].client, person, pictures[`portrait of ${short}`]),
    ),
  );
  return people;
}

/** The picture, the status and the presence of a person. */
async function introduce(
  url: string,
  client: TestClient,
  { status, presence }: SamplePerson,
  picture: Buffer | undefined,
): Promise<void> {
  if (picture !== undefined) await sendFile(url, client, '/users/me/avatar', picture, 'portrait.png');
  if (status !== undefined) {
    await client.ok('POST', '/users/me/status', { status_text: status[0], emoji_name: status[1] });
  }
  if (presence !== undefined) {
    await client.ok('POST', '/users/me/presence', {
      status: presence,
      new_user_input: presence === 'active',
      ping_only: true,
    });
  }
}

async function describeOrganization(world: BrowserWorld, owner: TestClient, { icon, emoji }: Pictures): Promise<void> {
  const { url } = world.server;
  await sendFile(url, owner, '/realm/icon', icon, 'icon.png');
  await sendFile(url, owner, '/realm/emoji/tidewater', emoji, 'tidewater.png');
  await owner.ok('PATCH', '/realm', {
    name: 'Tidewater',
    description: 'We forecast tides for **212 harbours**.',
    enable_spectator_access: true,
    topics_policy: 'allow_empty_topic',
    // Messages are older than the usual limit.
    message_content_edit_limit_seconds: JSON.stringify('unlimited'),
  });
}

/** A bot, a linkifier, a channel for reports, and a channel of the past. */
async function administration(owner: TestClient, channels: Readonly<Record<string, number>>): Promise<void> {
  await owner.ok('POST', '/bots', { full_name: 'Gauge Bot', short_name: 'gauge' });
  const url_template = 'https://example.com/tides/issues/{id}';
  await owner.ok('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template });
  await owner.ok('PATCH', '/realm', { moderation_request_channel_id: channels.leadership });
  await owner.ok('DELETE', `/streams/${channels.regatta}`);
}

function groupOf(owner: TestClient, people: Readonly<Record<Short, Person>>) {
  const members = (['noor', 'kwame', 'jonas', 'mara'] as const).map((short) => people[short].client.userId);
  return owner.ok('POST', '/user_groups/create', {
    name: 'operators',
    description: 'People who keep the gauges and the servers running',
    members,
  });
}

/** Own profile fields of the organization, and what people wrote there. */
async function fillProfiles(people: Readonly<Record<Short, Person>>): Promise<void> {
  const { client: owner } = people.mara;
  const field = async (name: string, field_type: number, inSummary: boolean, hint = '') => {
    const more = { hint, display_in_profile_summary: inSummary };
    return Number((await owner.ok('POST', '/realm/profile_fields', { name, field_type, ...more })).id);
  };
  const [work, birthday, languages] = [
    await field('Role', 1, true, 'What you do'),
    await field('Birthday', 4, false),
    await field('Languages', 2, false),
  ];
  for (const [short, { work: value }] of Object.entries(PEOPLE) as [Short, SamplePerson][]) {
    await people[short].client.ok('PATCH', '/users/me/profile_data', { data: [{ id: work, value }] });
  }
  const data = [
    { id: birthday, value: '1991-04-12' },
    { id: languages, value: 'Yoruba, English, German' },
  ];
  await people.jonas.client.ok('PATCH', '/users/me/profile_data', { data });
}
