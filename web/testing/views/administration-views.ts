/** Channels, groups, people, settings. */
import { heading, type View } from './view.ts';

/** A page of settings, by the name in its URL. */
function settings(area: 'settings' | 'organization', section: string, title: string): View {
  return {
    name: `${area}-${section}`,
    title: `${area === 'settings' ? 'Settings' : 'Organization'}: ${title}`,
    route: () => `#${area}/${section}`,
    shows: heading(title),
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
  { name: 'settings', title: 'Settings', route: () => '#settings', shows: heading('Settings') },
  settings('settings', 'profile', 'Profile'),
  settings('settings', 'account-and-privacy', 'Account and privacy'),
  settings('settings', 'preferences', 'Preferences'),
  settings('settings', 'notifications', 'Notifications'),
  settings('settings', 'alert-words', 'Alert words'),
  { ...settings('settings', 'uploaded-files', 'Uploaded files'), shows: (page) => page.getByText('minutes.pdf') },
  settings('settings', 'muted-users', 'Muted people'),
  settings('organization', 'organization-profile', 'Organization profile'),
  settings('organization', 'organization-settings', 'Organization settings'),
  settings('organization', 'organization-permissions', 'Organization permissions'),
  {
    ...settings('organization', 'users', 'Users'),
    shows: (page) => page.getByRole('button', { name: 'Manage Jonas Okafor' }),
  },
  {
    ...settings('organization', 'emoji-settings', 'Custom emoji'),
    shows: (page) => page.getByText('tidewater').first(),
  },
];
