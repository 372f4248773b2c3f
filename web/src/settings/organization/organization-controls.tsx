import type { UpdateOrganizationParameters } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { SelectSetting, SwitchSetting } from '../controls.tsx';
import { useOrganization } from './use-organization.ts';

type BooleanSetting = {
  [Key in keyof UpdateOrganizationParameters]-?: NonNullable<UpdateOrganizationParameters[Key]> extends boolean
    ? Key
    : never;
}[keyof UpdateOrganizationParameters];

type LimitSetting = Extract<keyof UpdateOrganizationParameters, `${string}_limit_seconds`>;

interface NamedProps<Name> {
  readonly name: Name;
  readonly label: string;
}

/** A setting that is on or off. */
export function OrganizationSwitch({ name, label }: NamedProps<BooleanSetting>): ReactNode {
  const { settings, update, refusal } = useOrganization();
  return (
    <SwitchSetting
      label={label}
      value={settings[name]}
      refusal={refusal(name)}
      save={(value) => update({ [name]: value })}
    />
  );
}

/** How long something is possible after a message was sent. */
export function LimitSelect({ name, label }: NamedProps<LimitSetting>): ReactNode {
  const { settings, update, refusal } = useOrganization();
  const value = String(settings[name] ?? 'unlimited');
  const options = [
    { key: '120', label: t('2 minutes') },
    { key: '600', label: t('10 minutes') },
    { key: '3600', label: t('1 hour') },
    { key: '86400', label: t('1 day') },
    { key: '604800', label: t('1 week') },
    { key: 'unlimited', label: t('No limit') },
  ];
  const isListed = options.some(({ key }) => key === value);
  return (
    <SelectSetting
      label={label}
      value={value}
      options={isListed ? options : [{ key: value, label: t('{seconds} seconds', { seconds: value }) }, ...options]}
      refusal={refusal(name)}
      save={(key) => update({ [name]: key === 'unlimited' ? key : Number(key) })}
    />
  );
}
