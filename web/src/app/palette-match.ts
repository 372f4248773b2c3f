import { folded } from '@heddle/client/model/people/text-folding.ts';

/** How well a name matches; larger is better. */
const SCORES = { whole: 100, beginning: 80, word: 60, words: 50, inside: 30, letters: 10 } as const;

/** What is compared with each name. Making it once per key press keeps the comparison cheap. */
export interface Query {
  readonly text: string;
  readonly words: readonly string[];
}

export function queryOf(text: string): Query {
  const key = folded(text).trim();
  return { text: key, words: key.split(/\s+/).filter((word) => word !== '') };
}

/**
 * How well a name matches what the user typed. Undefined if it does not: `dsgn` matches `design`, `engin des` matches
 * `Design engineering`.
 * @param name folded, see `folded`
 */
export function scoreOf({ text, words }: Query, name: string): number | undefined {
  if (text === '') return 0;
  if (name === text) return SCORES.whole;
  // Among equal matches, short names are what the user more likely means.
  const brevity = Math.max(0, 9 - name.length / 8);
  if (name.startsWith(text)) return SCORES.beginning + brevity;
  const at = name.indexOf(text);
  if (at > 0 && isWordStart(name, at)) return SCORES.word + brevity;
  if (words.length > 1 && words.every((word) => startsWord(name, word))) return SCORES.words + brevity;
  if (at > 0) return SCORES.inside + brevity;
  return hasLetters(text, name) ? SCORES.letters + brevity : undefined;
}

function startsWord(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) if (isWordStart(name, at)) return true;
  return false;
}

function isWordStart(name: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(name.charAt(at - 1));
}

/** Whether the letters occur in this order, the first one at the beginning of a word. Two letters would match too much. */
function hasLetters(text: string, name: string): boolean {
  if (text.length < 3) return false;
  let from = -1;
  do {
    from = name.indexOf(text.charAt(0), from + 1);
  } while (from >= 0 && !isWordStart(name, from));
  if (from < 0) return false;
  for (const letter of text.slice(1)) {
    if (letter === ' ') continue;
    from = name.indexOf(letter, from + 1);
    if (from < 0) return false;
  }
  return true;
}

/** The best of many, the best one first. Visits each once, and keeps only `limit`. */
export function bestOf<Item>(
  items: Iterable<Item>,
  limit: number,
  rank: (item: Item) => number | undefined,
): { readonly item: Item; readonly score: number }[] {
  const best: { item: Item; score: number }[] = [];
  for (const item of items) {
    const score = rank(item);
    if (score === undefined || (best.length === limit && score <= (best.at(-1)?.score ?? 0))) continue;
    const before = best.findIndex((one) => one.score < score);
    best.splice(before < 0 ? best.length : before, 0, { item, score });
    if (best.length > limit) best.pop();
  }
  return best;
}
