/** What a login or a session came from, in our own words. Nothing of the `User-Agent` is repeated. */
import { networkText } from '../../http/limits/networks.ts';
import type { RequestOrigin } from '../../http/requests/route.ts';
import type { Language } from '../../languages/language.ts';

export interface Device {
  /** Null: unknown, as for the system. */
  readonly browser: string | null;
  readonly system: string | null;
}

/** The first one that matches counts: browsers also name those that they resemble. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/zulip/i, 'Zulip'],
  [/edg(?:e|a|ios)?\//i, 'Edge'],
  [/opera|opr\/|opt\//i, 'Opera'],
  [/vivaldi/i, 'Vivaldi'],
  [/samsungbrowser/i, 'Samsung Internet'],
  [/chromium/i, 'Chromium'],
  [/chrome|crios/i, 'Chrome'],
  [/firefox|fxios/i, 'Firefox'],
  [/safari/i, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/android/i, 'Android'],
  [/windows/i, 'Windows'],
  [/iphone|ipad|\bios\b/i, 'iOS'],
  [/macintosh|mac ?os/i, 'macOS'],
  [/ cros /i, 'ChromeOS'],
  [/linux/i, 'Linux'],
];

export function deviceOf(userAgent = ''): Device {
  const named = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}

/** The browser and the system, with the text for what is unknown. */
export function deviceIn({ t }: Language, { browser, system }: Device): string {
  return t('{browser} on {system}', {
    browser: browser ?? t('an unknown program'),
    system: system ?? t('an unknown system'),
  });
}

/** What a session remembers of its origin. */
export function rememberedOrigin({
  userAgent,
  remoteAddress,
}: RequestOrigin): Device & { readonly network: string | null } {
  return { ...deviceOf(userAgent), network: networkText(remoteAddress) };
}
