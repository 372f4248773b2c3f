import { folded, wordsOf } from '@heddle/client/model/people/text-folding.ts';

/** Returns whether a name has words that begin with all words of the query. Case and diacritics do not matter. */
export function matcherOf(query: string): (name: string) => boolean {
  const words = wordsOf(folded(query));
  return (name) => {
    const own = wordsOf(folded(name));
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
}
