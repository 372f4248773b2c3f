import { updateSettings } from '@heddle/client/calls/operations.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { possibleActions } from '../base/keyboard.ts';
import type { Route } from '../base/routes.ts';
import { ORGANIZATION_SECTIONS, OWN_SECTIONS } from '../base/settings-sections.ts';
import { toasts } from '../base/toasts.ts';
import {
  DarkIcon,
  HelpIcon,
  type Icon,
  InviteIcon,
  LightIcon,
  LogOutIcon,
  MuteIcon,
  NotifyIcon,
  OrganizationIcon,
  ReadIcon,
  SettingsIcon,
} from '../design/icons.ts';
import { logOut } from '../people/log-out.ts';
import { openQuietDialog } from '../people/people-store.ts';
import { showProblem } from '../people/problem.ts';
import { resume } from '../people/quiet-commands.ts';
import { quietStore } from '../people/quiet-store.ts';
import { markEverythingAsRead } from '../topic-actions/mark-read.ts';

/** Something that the palette can do. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon?: Icon;
  /** Keys that do the same. */
  readonly keys?: string;
  readonly run: () => void;
}

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
    ...quietCommands(app),
    { id: 'read', label: t('Mark everything as read'), icon: ReadIcon, run: () => markEverythingAsRead(app) },
    ...(canInvite ? [{ id: 'invite', label: t('Invite people'), icon: InviteIcon, run: go({ view: 'invite' }) }] : []),
    { id: 'browse', label: t('Browse channels'), run: go({ view: 'channels', tab: 'available' }) },
    { id: 'new-channel', label: t('Create a channel'), run: go({ view: 'channels', tab: 'new' }) },
    { id: 'groups', label: t('User groups'), run: go({ view: 'groups', tab: 'your' }) },
    { id: 'dark', label: t('Dark theme'), icon: DarkIcon, run: () => void setScheme(app, SCHEMES.dark) },
    { id: 'light', label: t('Light theme'), icon: LightIcon, run: () => void setScheme(app, SCHEMES.light) },
    { id: 'system', label: t('Theme of the system'), run: () => void setScheme(app, SCHEMES.system) },
    ...Object.entries(OWN_SECTIONS).map(([section, { command }]): Command => {
      const run = go({ view: 'settings', section });
      return { id: `settings ${section}`, label: t(command), icon: SettingsIcon, run };
    }),
    ...Object.entries(ORGANIZATION_SECTIONS).map(([section, { command }]): Command => {
      const run = go({ view: 'organization', section });
      return { id: `organization ${section}`, label: t(command), icon: OrganizationIcon, run };
    }),
    ...helpCommands(go),
    { id: 'log-out', label: t('Log out'), icon: LogOutIcon, run: () => void logOut(app) },
  ];
}

function quietCommands(app: App): readonly Command[] {
  if (app.model.account.quietHours === undefined) return [];
  if (quietStore.until === null) {
    return [{ id: 'quiet', label: t('Pause notifications'), icon: MuteIcon, run: openQuietDialog }];
  }
  const run = () => void resume(app).catch(showProblem);
  return [{ id: 'quiet', label: t('Resume notifications'), icon: NotifyIcon, run }];
}

/** Pages that explain how to write and to search. */
function helpCommands(go: (route: Route) => () => void): readonly Command[] {
  return [
    { id: 'formatting', label: t('Message formatting'), icon: HelpIcon, run: go({ view: 'message-formatting' }) },
    { id: 'operators', label: t('Search operators'), icon: HelpIcon, run: go({ view: 'search-operators' }) },
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
