/** The channels of the sample organization, with folders, subscribers and personal settings. */
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Person } from '../browser-world.ts';
import type { Short } from './sample-people.ts';

interface SampleChannel {
  readonly name: string;
  readonly description: string;
  readonly folder?: string;
  /** Everyone but guests and newcomers, or only these people. */
  readonly members?: readonly Short[];
  readonly colour: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly isPinned?: boolean;
  readonly isMuted?: boolean;
}

const CHANNELS: readonly SampleChannel[] = [
  {
    name: 'announcements',
    description: 'News for everyone. Administrators write here.',
    colour: '#c2185b',
    isPinned: true,
    settings: { is_web_public: true },
  },
  {
    name: 'engineering',
    description: 'Servers, apps and the **tide model**',
    folder: 'Product',
    colour: '#3a50c2',
  },
  { name: 'design', description: 'Maps, colours, words', folder: 'Product', colour: '#8e44ad' },
  {
    name: 'research',
    description: 'Papers, measurements and harmonic analysis',
    folder: 'Product',
    colour: '#0b6a76',
    members: ['yuki', 'sam'],
  },
  {
    name: 'support',
    description: 'Questions of harbours and sailors',
    folder: 'Customers',
    colour: '#2e8b57',
    members: ['mara', 'elif', 'greta', 'zoe', 'jonas'],
  },
  { name: 'operations', description: 'Gauges, deployments, on call', colour: '#c9711b' },
  {
    name: 'leadership',
    description: 'Plans and budgets',
    colour: '#5d6470',
    members: ['mara', 'greta'],
    settings: { invite_only: true },
  },
  { name: 'lunch', description: 'What do we eat today?', colour: '#b8860b' },
  { name: 'regatta', description: 'The regatta of last summer', colour: '#7a6f9b' },
  { name: 'sailing', description: 'Weekends on the water', colour: '#4f93d2', isMuted: true },
];

const EVERYONE: readonly Short[] = [
  'mara',
  'jonas',
  'priya',
  'tomas',
  'yuki',
  'elif',
  'sam',
  'noor',
  'luca',
  'greta',
  'kwame',
];

/** Creates the channels. Returns their ids by name. */
export async function createChannels(
  owner: TestClient,
  people: Readonly<Record<Short, Person>>,
): Promise<Record<string, number>> {
  const folders = new Map<string, number>();
  for (const [name, description] of [
    ['Product', 'What we build'],
    ['Customers', 'For whom we build it'],
  ] as const) {
    const { channel_folder_id: id } = await owner.ok('POST', '/channel_folders/create', { name, description });
    folders.set(name, Number(id));
  }
  const groups = (await owner.ok('GET', '/user_groups')).user_groups as { id: number; name: string }[];
  const administrators = groups.find(({ name }) => name === 'role:administrators')?.id;
  const ids: Record<string, number> = {};
  for (const { name, description, folder, members = EVERYONE, settings = {} } of CHANNELS) {
    const { id } = await owner.ok('POST', '/channels/create', {
      name,
      description,
      subscribers: members.map((short) => people[short].client.userId),
      send_new_subscription_messages: false,
      ...(folder !== undefined && { folder_id: folders.get(folder) }),
      ...(name === 'announcements' && { can_send_message_group: administrators }),
      ...settings,
    });
    ids[name] = Number(id);
  }
  await personalSettings(people.mara.client, ids);
  return ids;
}

async function personalSettings(client: TestClient, ids: Readonly<Record<string, number>>): Promise<void> {
  const settings = CHANNELS.flatMap(({ name, colour, isPinned, isMuted, members }) =>
    members?.includes('mara') === false
      ? []
      : [
          { stream_id: ids[name], property: 'color', value: colour },
          ...(isPinned ? [{ stream_id: ids[name], property: 'pin_to_top', value: true }] : []),
          ...(isMuted ? [{ stream_id: ids[name], property: 'is_muted', value: true }] : []),
        ],
  );
  await client.ok('POST', '/users/me/subscriptions/properties', { subscription_data: settings });
  // The first channels of the organization. Those of the team replace them.
  const { subscriptions } = await client.ok('GET', '/users/me/subscriptions');
  const first = (subscriptions as { name: string; stream_id: number }[]).filter(({ name }) => !(name in ids));
  for (const { stream_id } of first) await client.ok('DELETE', `/streams/${stream_id}`);
}
