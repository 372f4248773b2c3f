import { t } from '../../base/i18n.ts';

/** The name of a browser in which the user is logged in. Null: unknown. */
export function browserName({
  browser,
  system,
}: {
  readonly browser: string | null;
  readonly system: string | null;
}): string {
  const names = { browser: browser ?? t('Unknown browser'), system: system ?? t('unknown system') };
  return t('{browser} on {system}', names);
}
