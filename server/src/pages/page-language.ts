/** The language of a page: the choice that the browser remembers, then what the browser prefers. */
import { type Language, languageFor } from '../languages/language.ts';

/** The cookie with the chosen language. */
export const LANGUAGE_COOKIE = 'language';

/** The parts of a request that decide. */
export interface LanguagePreferences {
  readonly cookies: { get(name: string): string | undefined };
  /** Those of the browser, as BCP 47 tags, the preferred one first. */
  readonly languages: readonly string[];
}

/** The languages of a person, the preferred one first. */
export function preferredLanguages({ cookies, languages }: LanguagePreferences): readonly string[] {
  const chosen = cookies.get(LANGUAGE_COOKIE);
  return chosen === undefined ? languages : [chosen, ...languages];
}

export function languageOfPage(preferences: LanguagePreferences): Language {
  return languageFor(preferredLanguages(preferences));
}
