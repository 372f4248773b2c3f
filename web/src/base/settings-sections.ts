/** The pages of the settings: their names in the URL and on the screen. The palette, the routes and the pages use them. */
import { type Message, msg } from './i18n.ts';
import { defineShortcut } from './keyboard.ts';

/** Enters the field that searches all settings, while they are open. */
export const settingsSearchShortcut = defineShortcut({
  id: 'settings.search',
  keys: ['Mod+Shift+F'],
  label: msg('Search all settings'),
  group: 'navigation',
});

interface SectionNames {
  readonly label: Message;
  /** What the palette says. */
  readonly command: Message;
  /** Names of the page in links of other clients. */
  readonly older?: readonly string[];
}

/** The settings of the own account. */
export const OWN_SECTIONS = {
  profile: { label: msg('Profile'), command: msg('Settings: profile') },
  'account-and-privacy': {
    label: msg('Account and privacy'),
    command: msg('Settings: account and privacy'),
    older: ['your-account'],
  },
  sessions: { label: msg('Sessions'), command: msg('Settings: sessions') },
  organizations: { label: msg('Your organizations'), command: msg('Settings: your organizations') },
  preferences: { label: msg('Preferences'), command: msg('Settings: preferences'), older: ['display-settings'] },
  notifications: { label: msg('Notifications'), command: msg('Settings: notifications') },
  topics: { label: msg('Topics'), command: msg('Settings: topics'), older: ['muted-topics'] },
  'muted-users': { label: msg('Muted people'), command: msg('Settings: muted people') },
  'alert-words': { label: msg('Alert words'), command: msg('Settings: alert words') },
  'uploaded-files': { label: msg('Uploaded files'), command: msg('Settings: uploaded files') },
  'your-bots': { label: msg('Your bots'), command: msg('Settings: your bots'), older: ['bots'] },
  integrations: { label: msg('Integrations'), command: msg('Settings: integrations') },
} as const satisfies Readonly<Record<string, SectionNames>>;

export type OwnSection = keyof typeof OWN_SECTIONS;

/** The settings of the organization. */
export const ORGANIZATION_SECTIONS = {
  'organization-profile': { label: msg('Organization profile'), command: msg('Organization: profile') },
  'organization-settings': {
    label: msg('Organization settings'),
    command: msg('Organization: settings'),
    older: ['auth-methods'],
  },
  'organization-permissions': { label: msg('Organization permissions'), command: msg('Organization: permissions') },
  users: { label: msg('Users'), command: msg('Organization: members'), older: ['user-list-admin'] },
  bots: { label: msg('Bots'), command: msg('Organization: bots'), older: ['bot-list-admin'] },
  'emoji-settings': { label: msg('Custom emoji'), command: msg('Organization: custom emoji') },
  'linkifier-settings': {
    label: msg('Linkifiers'),
    command: msg('Organization: linkifiers'),
    older: ['filter-settings'],
  },
  'playground-settings': { label: msg('Code playgrounds'), command: msg('Organization: code playgrounds') },
  'profile-field-settings': { label: msg('Profile fields'), command: msg('Organization: profile fields') },
  'default-channels-list': {
    label: msg('Default channels'),
    command: msg('Organization: default channels'),
    older: ['default-streams-list'], // wire name: of other clients
  },
  'organization-level-user-defaults': {
    label: msg('Settings of new users'),
    command: msg('Organization: settings of new users'),
  },
  import: { label: msg('Move a team here'), command: msg('Organization: move a team here') },
  'data-exports-admin': { label: msg('Data exports'), command: msg('Organization: data exports') },
} as const satisfies Readonly<Record<string, SectionNames>>;

export type OrganizationSection = keyof typeof ORGANIZATION_SECTIONS;

/** The current name of a page, whose name in a link can be older. Other names stay. */
export function currentName(sections: Readonly<Record<string, SectionNames>>, name: string): string {
  return Object.entries(sections).find(([, { older }]) => older?.includes(name))?.[0] ?? name;
}
