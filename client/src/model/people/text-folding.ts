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

/** The characters of ASCII, as a range without control characters. Other texts take the slower path. */
const PLAIN = /^[ -~]*$/;
const PLAIN_WORDS = /^[a-z0-9 ]*$/;

/** The text in lower case and without diacritics, for example `muller` for `Müller`. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  // Marks of other scripts are letters of their own, so only the combining diacritics disappear.
  const base = lower.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  return PLAIN.test(base) ? base : base.replace(/[ßøłđðþæœıħ]/g, (letter) => SPECIAL[letter] ?? letter);
}

/** The words of a folded text. */
export function wordsOf(text: string): string[] {
  if (PLAIN_WORDS.test(text))
    return text.includes(' ') ? text.split(' ').filter(isNotEmpty) : [text].filter(isNotEmpty);
  return text.split(PLAIN.test(text) ? /[^a-z0-9]+/ : /[^\p{L}\p{M}\p{N}]+/u).filter(isNotEmpty);
}

function isNotEmpty(word: string): boolean {
  return word !== '';
}
