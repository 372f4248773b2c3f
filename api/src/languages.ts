/** The languages of the pages before the login and of all mails. The web app has some of them (`web-app.ts`). */

interface KnownLanguage {
  /** As in `default_language`. */
  readonly tag: string;
  /** In the language itself. */
  readonly name: string;
  /** Whether no speaker of the language has checked the texts yet. The choice of the language says so. */
  readonly awaitsReview: boolean;
}

/** `docs/translating.md` describes how to add one. */
export const LANGUAGES = [
  { tag: 'en', name: 'English', awaitsReview: false },
  { tag: 'de', name: 'Deutsch', awaitsReview: false },
  { tag: 'es', name: 'Español', awaitsReview: true },
  { tag: 'fr', name: 'Français', awaitsReview: true },
  { tag: 'ja', name: '日本語', awaitsReview: true },
] as const satisfies readonly KnownLanguage[];

export type LanguageTag = (typeof LANGUAGES)[number]['tag'];

/** The first of `wanted` (BCP 47 tags such as `de-AT`) that pages and mails have. Undefined if they have none of them. */
export function knownLanguage(wanted: readonly string[]): LanguageTag | undefined {
  return firstAmong(
    LANGUAGES.map(({ tag }) => tag),
    wanted,
  );
}

/** The first of `wanted` (BCP 47 tags) whose language is one of `known`. */
export function firstAmong<Tag extends string>(known: readonly Tag[], wanted: readonly string[]): Tag | undefined {
  for (const each of wanted) {
    const language = each.split('-', 1)[0]?.toLowerCase();
    const found = known.find((tag) => tag === language);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether readers of this language (a BCP 47 tag) expect a clock of 24 hours. */
export function has24HourClock(tag: string): boolean {
  return new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hour12 === false;
}
