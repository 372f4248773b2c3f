import type { UserSettings } from '@heddle/client/calls/types.ts';
import { type ReactNode, useEffect } from 'react';
import { useModel } from './app.tsx';
import { setTimePreferences } from './i18n-formats.ts';
import { loadLocale } from './i18n-load.ts';
import { restoreSingleKeys } from './single-keys.ts';
import { useChanges } from './use-changes.ts';

/** The values of the setting `color_scheme` that fix a theme. 1 follows the system. */
const THEMES: Readonly<Record<number, string | undefined>> = { 2: 'dark', 3: 'light' };

/** The font size that the tokens are made for, in pixels. */
const USUAL_FONT_PIXELS = 16;

/** Applies the display settings of the account to the page. It has no view. */
export function Appearance(): ReactNode {
  const { account, ownId } = useModel();
  useChanges(account.changes);
  const { settings } = account;
  useEffect(() => applySettings(settings), [settings]);
  const { default_language: language } = settings;
  useEffect(() => {
    // If the texts cannot be loaded, the app stays in its language.
    if (language !== undefined) void loadLocale([language]).catch(() => undefined);
  }, [language]);
  useEffect(() => restoreSingleKeys(ownId), [ownId]);
  return null;
}

/** Fields are missing for spectators, who keep the preferences of their browser. */
function applySettings(settings: Partial<UserSettings>): void {
  const { documentElement: root } = document;
  setAttribute(root, 'data-theme', THEMES[settings.color_scheme ?? 1]);
  setAttribute(root, 'data-density', settings.dense_mode ? 'compact' : undefined);
  const { web_font_size_px: pixels = USUAL_FONT_PIXELS, web_line_height_percent: percent } = settings;
  root.style.setProperty('--font-scale', String(pixels / USUAL_FONT_PIXELS));
  if (percent !== undefined) root.style.setProperty('--leading', String(percent / 100));
  if (settings.twenty_four_hour_time !== undefined) setTimePreferences({ hour12: !settings.twenty_four_hour_time });
}

function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
