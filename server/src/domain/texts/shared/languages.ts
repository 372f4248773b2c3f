const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Whether a language with a known name has this tag. */
export function isLanguage(tag: string): boolean {
  try {
    return NAMES.of(tag) !== undefined;
  } catch {
    return false;
  }
}

/** The language's name in the language itself, or else its tag. */
export function languageName(tag: string): string {
  return new Intl.DisplayNames([tag, 'en'], { type: 'language' }).of(tag) ?? tag;
}
