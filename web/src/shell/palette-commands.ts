import { updateSettings } from '@heddle/client/calls/operations.ts';
import { markEverythingAsRead } from '../conversations/mark-read.ts';
import {
  DarkIcon,
  type Icon,
  InviteIcon,
  LightIcon,
  LogOutIcon,
  OrganizationIcon,
  ReadIcon,
  SettingsIcon,
} from '../design/icons.ts';
import { toasts } from '../design/toasts.ts';
import type { App } from './app.tsx';
import { type Message, msg, t } from './i18n.ts';
import { possibleActions } from './keyboard.ts';
import { logOut } from './log-out.ts';
import type { Route } from './routes.ts';

/** Something that the palette can do. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon?: Icon;
  /** Keys that do the same. */
  readonly keys?: string;
  readonly run: () => void;
}

/** The pages of the settings, by their names in the URL. */
const SETTINGS_PAGES: readonly (readonly [section: string, label: Message])[] = [
  ['profile', msg('Settings: profile')],
  ['account-and-privacy', msg('Settings: account and privacy')],
  ['preferences', msg('Settings: preferences')],
  ['notifications', msg('Settings: notifications')],
  ['alert-words', msg('Settings: alert words')],
  ['uploaded-files', msg('Settings: uploaded files')],
  ['muted-users', msg('Settings: muted people')],
];

const ORGANIZATION_PAGES: readonly (readonly [section: string, label: Message])[] = [
  ['organization-profile', msg('Organization: profile')],
  ['organization-settings', msg('Organization: settings')],
  ['organization-permissions', msg('Organization: permissions')],
  ['users', msg('Organization: members')],
  ['emoji-settings', msg('Organization: custom emoji')],
];

/** The values of the setting `color_scheme`. */
const SCHEMES = { system: 1, dark: 2, light: 3 } as const;

/** The commands that are possible now. Those that move between rows make sense only with a key. */
export function commandsOf(app: App): readonly Command[] {
  const { model, navigation } = app;
  const go = (route: Route) => () => navigation.go(route);
  const actions = possibleActions()
    .filter(({ shortcut }) => shortcut.scope === 'global' && !shortcut.repeats && !HIDDEN.has(shortcut.id))
    .map(({ shortcut, run }): Command => ({ id: shortcut.id, label: t(shortcut.label), keys: shortcut.keys[0], run }));
  if (model.account.isSpectator) return actions;
  const canInvite = model.permissions.invite('mail').allowed || model.permissions.invite('link').allowed;
  return [
    ...actions,
    { id: 'read', label: t('Mark everything as read'), icon: ReadIcon, run: () => markEverythingAsRead(app) },
    ...(canInvite ? [{ id: 'invite', label: t('Invite people'), icon: InviteIcon, run: go({ view: 'invite' }) }] : []),
    { id: 'browse', label: t('Browse channels'), run: go({ view: 'channels', tab: 'available' }) },
    { id: 'new-channel', label: t('Create a channel'), run: go({ view: 'channels', tab: 'new' }) },
    { id: 'groups', label: t('User groups'), run: go({ view: 'groups', tab: 'your' }) },
    { id: 'dark', label: t('Dark theme'), icon: DarkIcon, run: () => void setScheme(app, SCHEMES.dark) },
    { id: 'light', label: t('Light theme'), icon: LightIcon, run: () => void setScheme(app, SCHEMES.light) },
    { id: 'system', label: t('Theme of the system'), run: () => void setScheme(app, SCHEMES.system) },
    ...SETTINGS_PAGES.map(([section, label]): Command => {
      return { id: `settings ${section}`, label: t(label), icon: SettingsIcon, run: go({ view: 'settings', section }) };
    }),
    ...ORGANIZATION_PAGES.map(([section, label]): Command => {
      const run = go({ view: 'organization', section });
      return { id: `organization ${section}`, label: t(label), icon: OrganizationIcon, run };
    }),
    { id: 'log-out', label: t('Log out'), icon: LogOutIcon, run: () => void logOut(app) },
  ];
}

/** The palette itself, and keys that only enter a list. */
const HIDDEN = new Set(['palette.open', 'conversations.next-row', 'conversations.previous-row']);

async function setScheme({ connection }: App, scheme: 1 | 2 | 3): Promise<void> {
  try {
    await updateSettings(connection, { color_scheme: scheme });
  } catch {
    toasts.show({ text: t('The theme could not be changed. Try again.'), kind: 'error', key: 'theme' });
  }
}
