import { type ReactNode, useEffect } from 'react';
import { useModel } from '../base/app.tsx';
import { loadLocale } from '../base/i18n-load.ts';
import { restoreSingleKeys } from '../base/single-keys.ts';
import { useChanges } from '../base/use-changes.ts';
import { applyDisplaySettings } from './display-settings.ts';

/** Applies the display settings of the account to the page. It has no view. */
export function Appearance(): ReactNode {
  const { account, ownId } = useModel();
  useChanges(account.changes);
  const { settings } = account;
  useEffect(() => applyDisplaySettings(settings), [settings]);
  const { default_language: language } = settings;
  useEffect(() => {
    // If the texts cannot be loaded, the app stays in its language.
    if (language !== undefined) void loadLocale([language]).catch(() => undefined);
  }, [language]);
  useEffect(() => restoreSingleKeys(ownId), [ownId]);
  return null;
}
