/** The words of a search, split in the same way as the words of the index (migration `parts-of-words`). */

/** Characters of scripts without spaces between words, and of Korean, whose words end with particles. */
const UNSPACED =
  '\\u0e01-\\u0e7f\\u0e81-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u3005-\\u3007\\u3041-\\u30fa\\u30fc-\\u318f\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}';
const SEPARATORS = /[_@~\-./+]+/g;
const RUNS = new RegExp(`([${UNSPACED}]+)`, 'u');
/** A run of such characters, or a word of other ones. */
export const WORD = `[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`;

export interface SearchWords {
  /** Words in any order. */
  readonly words: readonly string[];
  /** Words that follow each other: the parts of a word, or the pairs of a run. */
  readonly phrases: readonly string[];
  /** Single characters of such scripts: the beginnings of pairs. */
  readonly beginnings: readonly string[];
}

/** `config.yaml 织布机 loom` has the phrases `config yaml` and `织布 布机`, and the word `loom`. */
export function searchWords(text: string): SearchWords {
  const words: string[] = [];
  const phrases: string[] = [];
  const beginnings: string[] = [];
  for (const word of text.split(/\s+/)) {
    for (const [index, part] of word.split(RUNS).entries()) {
      if (index % 2 === 1) {
        const characters = [...part];
        if (characters.length === 1) beginnings.push(part);
        else
          phrases.push(
            characters
              .slice(1)
              .map((character, before) => `${characters[before]}${character}`)
              .join(' '),
          );
        continue;
      }
      const separated = part.replace(SEPARATORS, ' ').trim();
      if (separated !== '') (separated.includes(' ') ? phrases : words).push(separated);
    }
  }
  return { words, phrases, beginnings };
}

/** The runs of such characters in a search. */
export function unspacedRuns(text: string): readonly string[] {
  return text.split(RUNS).filter((_, index) => index % 2 === 1);
}

export function isUnspaced(word: string): boolean {
  return RUNS.test(word);
}
