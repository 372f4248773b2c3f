/** Letters that do not decompose into a base letter and a mark. */
const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with control characters.
const ASCII = /^[\x00-\x7f]*$/;

/** The text in lower case and without diacritics, for example `muller` for `Müller`. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßøłđðþæœıħ]/g, (letter) => SPECIAL[letter] ?? letter);
}

/** The words of a folded text. */
export function wordsOf(text: string): string[] {
  return text.split(ASCII.test(text) ? /[^a-z0-9]+/ : /[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
