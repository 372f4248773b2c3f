const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Whether the tag is that of a language that has a name. */
export function isLanguage(tag: string): boolean {
  try {
    return NAMES.of(tag) !== undefined;
  } catch {
    return false;
  }
}

/** The language's name in itself, or else its tag. */
export function languageName(tag: string): string {
  return new Intl.DisplayNames([tag, 'en'], { type: 'language' }).of(tag) ?? tag;
}
