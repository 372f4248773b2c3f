/** Controls of the fields of `user_settings`. */
import { updateSettings } from '@heddle/client/calls/operations.ts';
import type { UserSettings } from '@heddle/client/calls/types.ts';
import type { ReactNode } from 'react';
import type { Option } from '../../design/list-box.tsx';
import { useApp } from '../../shell/app.tsx';
import { useChanges } from '../../shell/use-changes.ts';
import { SelectSetting, SwitchSetting } from '../controls.tsx';

type Named<Value> = {
  readonly [Key in keyof UserSettings]: UserSettings[Key] extends Value ? Key : never;
}[keyof UserSettings];

interface Texts {
  readonly label: string;
  readonly description?: string;
}

/** A setting that is on or off. */
export function OwnSwitch({ name, ...texts }: Texts & { readonly name: Named<boolean> }): ReactNode {
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

interface OwnSelectProps<Name extends keyof UserSettings> extends Texts {
  readonly name: Name;
  /** The values of the wire with their texts. */
  readonly choices: readonly (readonly [UserSettings[Name] & (string | number), string])[];
}

/** A setting with a few values. */
export function OwnSelect<Name extends keyof UserSettings>(props: OwnSelectProps<Name>): ReactNode {
  const { name, choices, ...texts } = props;
  const { model, connection } = useApp();
  useChanges(model.account.changes);
  const options: Option[] = choices.map(([value, label]) => ({ key: String(value), label }));
  return (
    <SelectSetting
      {...texts}
      options={options}
      value={String(model.account.settings[name])}
      save={async (key) => {
        const value = choices.find(([one]) => String(one) === key)?.[0];
        if (value !== undefined) await updateSettings(connection, { [name]: value });
      }}
    />
  );
}
