import type { Presenter } from '../../../directory/presenters.ts';
import type { NewEvent } from '../../../log/event.ts';
import type { QueueSettings } from '../../../log/queue.ts';
import { languageName } from '../../texts/shared/languages.ts';
import { isDisplaySetting, isNotificationSetting } from './legacy.ts';

/** The bodies of events about settings in the log. */
export interface SettingBody {
  readonly property: string;
  readonly value: boolean | number | string;
}

/** The same for older clients, with the user's address. */
interface OlderBody extends SettingBody {
  readonly email: string;
}

/** The events about one setting for the user's clients, newer and older ones. */
export function settingEvents(user: { readonly id: number; readonly email: string }, body: SettingBody): NewEvent[] {
  const audience = { to: 'users', users: [user.id] } as const;
  const older: OlderBody = { ...body, email: user.email };
  return [
    { type: 'user_settings', audience, body },
    ...(isDisplaySetting(body.property) ? [{ type: 'update_display_settings', audience, body: older }] : []),
    ...(isNotificationSetting(body.property) ? [{ type: 'update_global_notifications', audience, body: older }] : []),
  ];
}

const language = ({ property, value }: SettingBody) =>
  property === 'default_language' ? { language_name: languageName(String(value)) } : {};

const isOlder = ({ capabilities }: QueueSettings) => !capabilities.userSettingsObject;

export const settingPresenters: Readonly<Record<string, Presenter>> = {
  user_settings: {
    present({ body }) {
      const { property, value } = body as SettingBody;
      return { type: 'user_settings', op: 'update', property, value, ...language({ property, value }) };
    },
  },
  update_display_settings: {
    wants: (_, { settings }) => isOlder(settings),
    present({ body }) {
      const { property, value, email } = body as OlderBody;
      return {
        type: 'update_display_settings',
        user: email,
        setting_name: property,
        setting: value,
        ...language({ property, value }),
      };
    },
  },
  update_global_notifications: {
    wants: (_, { settings }) => isOlder(settings),
    present({ body }) {
      const { property, value, email } = body as OlderBody;
      return { type: 'update_global_notifications', user: email, notification_name: property, setting: value };
    },
  },
  realm_user_settings_defaults: {
    present({ body }) {
      const { property, value } = body as SettingBody;
      return { type: 'realm_user_settings_defaults', op: 'update', property, value };
    },
  },
};
