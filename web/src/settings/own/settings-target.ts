import {
  type UpdateSettingsDefaultsParameters,
  updateSettings,
  updateSettingsDefaults,
} from '@heddle/client/calls/operations.ts';
import type { UserSettings } from '@heddle/client/calls/types.ts';
import { createContext, useContext } from 'react';
import { useApp } from '../../base/app.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { refusalText } from '../reasons.ts';

/** Settings that new users get from the organization. The account has these, too. */
export type SharedSettings = Pick<UserSettings, keyof UserSettings & keyof UpdateSettingsDefaultsParameters>;

/** Whose settings the controls change: those of the account, or those that new users get. */
export const SettingsOf = createContext<'account' | 'new users'>('account');

export interface SettingsTarget {
  readonly settings: SharedSettings;
  readonly save: (change: Partial<SharedSettings>) => Promise<unknown>;
  /** Why the user may not change them. */
  readonly refusal: string | undefined;
}

export function useSettingsTarget(): SettingsTarget {
  const isAccount = useContext(SettingsOf) === 'account';
  const { model, connection } = useApp();
  const { account, organization, permissions } = model;
  useChanges(isAccount ? account.changes : organization.changes);
  useChanges(permissions.changes);
  if (isAccount) {
    return { settings: account.settings, save: (change) => updateSettings(connection, change), refusal: undefined };
  }
  return {
    settings: organization.userSettingsDefaults,
    save: (change) => updateSettingsDefaults(connection, change),
    refusal: refusalText(model, permissions.changeOrganization('user_settings_defaults')),
  };
}
