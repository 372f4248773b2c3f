/** Channels, groups, people, settings. */
import { ORGANIZATION_SECTIONS, OWN_SECTIONS } from '../../src/base/settings-sections.ts';
import { heading, type View } from './view.ts';

/** What only the complete page has, if its heading is there earlier. */
const COMPLETE: Readonly<Record<string, View['shows']>> = {
  'uploaded-files': (page) => page.getByText('minutes.pdf'),
  users: (page) => page.getByRole('button', { name: 'Manage Jonas Okafor' }),
  'emoji-settings': (page) => page.getByText(':tidewater:'),
  'your-bots': (page) => page.getByRole('button', { name: 'Manage Gauge Bot' }),
  sessions: (page) => page.getByRole('list', { name: 'Sessions' }),
  integrations: (page) => page.getByRole('link', { name: /^GitHub/ }),
};

/** A page of settings, by the name in its URL. */
function settings(area: 'settings' | 'organization', section: string, title: string): View {
  return {
    name: section.startsWith(area) ? section : `${area}-${section}`,
    title: `${area === 'settings' ? 'Settings' : 'Organization'}: ${title}`,
    route: () => `#${area}/${section}`,
    shows: COMPLETE[section] ?? heading(title),
  };
}

function channelTab(tab: 'general' | 'personal' | 'subscribers', title: string, shows: View['shows']): View {
  return {
    name: `channel-${tab}`,
    title: `Settings of a channel: ${title}`,
    route: ({ channels }) => `#channels/${channels.engineering}/engineering/${tab}`,
    shows,
  };
}

export const ADMINISTRATION_VIEWS: readonly View[] = [
  {
    name: 'channels',
    title: 'Own channels',
    route: () => '#channels/subscribed',
    shows: (page) => page.getByRole('button', { name: 'Leave design' }),
  },
  {
    name: 'channels-available',
    title: 'Channels to join',
    route: () => '#channels/available',
    shows: (page) => page.getByRole('button', { name: 'Join research' }),
  },
  { name: 'channel-new', title: 'A new channel', route: () => '#channels/new', shows: heading('New channel') },
  channelTab('general', 'for everyone', heading('Permissions')),
  channelTab('personal', 'for me', heading('Display')),
  channelTab('subscribers', 'members', (page) => page.getByRole('grid').getByRole('link', { name: 'Jonas Okafor' })),
  {
    name: 'channel-read-only',
    title: 'Settings of a channel: for a member who may only read them',
    as: ({ newcomer }) => newcomer,
    route: ({ channels }) => `#channels/${channels.engineering}/engineering/general`,
    shows: (page) => page.getByText(/^Only .* can change this\.$/).first(),
  },
  {
    name: 'organization-read-only',
    title: 'Organization: settings for a member',
    as: ({ newcomer }) => newcomer,
    route: () => '#organization/organization-settings',
    shows: (page) => page.getByText(/^Only .* can change this\.$/).first(),
  },
  {
    name: 'groups',
    title: 'User groups',
    route: () => '#groups/all',
    shows: (page) => page.getByRole('link', { name: /operators/ }),
  },
  {
    name: 'group',
    title: 'A user group',
    route: ({ group }) => `#groups/${group}`,
    shows: (page) => page.getByRole('grid').getByRole('link', { name: 'Noor van Dijk' }),
  },
  {
    name: 'group-new',
    title: 'A new user group',
    route: () => '#groups/new',
    shows: (page) => page.getByRole('button', { name: 'Create group' }),
  },
  {
    name: 'invite',
    title: 'Invitations',
    route: () => '#invite',
    shows: (page) => page.getByRole('list', { name: 'Pending invitations' }),
  },
  { name: 'settings', title: 'Settings', route: () => '#settings', shows: heading(/Settings|Profile/) },
  {
    name: 'integration',
    title: 'An integration',
    route: () => '#settings/integrations/zendesk',
    shows: heading('Steps at the other service'),
  },
  ...Object.entries(OWN_SECTIONS).map(([section, { label }]) => settings('settings', section, label)),
  ...Object.entries(ORGANIZATION_SECTIONS).map(([section, { label }]) => settings('organization', section, label)),
];
