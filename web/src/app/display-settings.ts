import type { UserSettings } from '@heddle/client/calls/types.ts';
import { setTimePreferences } from '../base/i18n-formats.ts';

/** The values of the setting `color_scheme` that fix a theme. 1 follows the system. */
const THEMES: Readonly<Record<number, string | undefined>> = { 2: 'dark', 3: 'light' };

/** The font size that the tokens are made for, in pixels. */
const USUAL_FONT_PIXELS = 16;

/**
 * Applies the display settings to the page, and to the dates of later renders. Fields are missing for spectators, who keep the
 * preferences of their browser.
 */
export function applyDisplaySettings(settings: Partial<UserSettings>): void {
  const { documentElement: root } = document;
  setAttribute(root, 'data-theme', THEMES[settings.color_scheme ?? 1]);
  const { web_font_size_px: pixels = USUAL_FONT_PIXELS, web_line_height_percent: percent } = settings;
  root.style.setProperty('--font-scale', String(pixels / USUAL_FONT_PIXELS));
  if (percent !== undefined) root.style.setProperty('--leading', String(percent / 100));
  if (settings.twenty_four_hour_time !== undefined) setTimePreferences({ hour12: !settings.twenty_four_hour_time });
}

function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
