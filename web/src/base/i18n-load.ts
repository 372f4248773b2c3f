/** Loads the texts of a language. English comes with the app, and each other language is a chunk of its own. */
import english from 'virtual:texts/en';
import { activateLocale, type Catalog, currentLocale, type Locale, supportedLocale } from './i18n.ts';

const LOADERS: Readonly<Record<Locale, () => Catalog | Promise<Catalog>>> = {
  en: () => english,
  de: async () => (await import('virtual:texts/de')).default,
};

/**
 * Shows the app in the first supported language of `wanted` (BCP 47 tags, for example `[settings.default_language]` or
 * `navigator.languages`). Rejects if the texts cannot be loaded; the language then stays as it was.
 */
export async function loadLocale(wanted: readonly string[]): Promise<Locale> {
  const locale = supportedLocale(wanted);
  try {
    activateLocale(locale, await LOADERS[locale](), [...wanted, ...navigator.languages]);
  } finally {
    // The page can begin with a language whose texts are missing.
    document.documentElement.lang = currentLocale();
  }
  return locale;
}
