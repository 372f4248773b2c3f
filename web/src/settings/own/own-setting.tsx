/** Controls of the fields of `user_settings`, of the account or of new users. */
import { updateSettings } from '@heddle/client/calls/operations.ts';
import type { UserSettings } from '@heddle/client/calls/types.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { useChanges } from '../../base/use-changes.ts';
import type { Option } from '../../design/list-box.tsx';
import { SelectSetting, SwitchSetting } from '../controls.tsx';
import { type SharedSettings, useSettingsTarget } from './settings-target.ts';

type Named<Settings, Value> = {
  readonly [Key in keyof Settings]: Settings[Key] extends Value ? Key : never;
}[keyof Settings];

/** A setting that is on or off. */
export type SharedBoolean = Named<SharedSettings, boolean>;

type OwnBoolean = Exclude<Named<UserSettings, boolean>, SharedBoolean>;

interface Texts {
  readonly label: string;
  readonly description?: string;
}

/** A setting that is on or off. */
export function UserSwitch({ name, ...texts }: Texts & { readonly name: SharedBoolean }): ReactNode {
  const { settings, save, refusal } = useSettingsTarget();
  return (
    <SwitchSetting
      {...texts}
      value={settings[name]}
      refusal={refusal}
      save={(value) => save({ [name]: value } as Partial<SharedSettings>)}
    />
  );
}

interface UserSelectProps<Name extends keyof SharedSettings> extends Texts {
  readonly name: Name;
  /** The values of the wire with their texts. */
  readonly choices: readonly (readonly [SharedSettings[Name] & (string | number), string])[];
}

/** A setting with a few values. */
export function UserSelect<Name extends keyof SharedSettings>(props: UserSelectProps<Name>): ReactNode {
  const { name, choices, ...texts } = props;
  const { settings, save, refusal } = useSettingsTarget();
  const options: Option[] = choices.map(([value, label]) => ({ key: String(value), label }));
  return (
    <SelectSetting
      {...texts}
      options={options}
      value={String(settings[name])}
      refusal={refusal}
      save={async (key) => {
        const value = choices.find(([one]) => String(one) === key)?.[0];
        if (value !== undefined) await save({ [name]: value } as Partial<SharedSettings>);
      }}
    />
  );
}

/** A setting that new users do not get from the organization. */
export function OwnSwitch({ name, ...texts }: Texts & { readonly name: OwnBoolean }): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.account.changes);
  return (
    <SwitchSetting
      {...texts}
      value={model.account.settings[name]}
      save={(value) => updateSettings(connection, { [name]: value })}
    />
  );
}
