import type { Db } from '../../../db/schema.ts';
import { turn } from '../../../http/limits/turns.ts';
import { escapeText } from '../../../markup/index.ts';
import type { Lexemes } from './lexemes.ts';
import type { Sought } from './search.ts';
import { isUnspaced, unspacedRuns, WORD } from './search-words.ts';

/** A message with its found words marked, as HTML (public reference: `match_content`, `match_subject`). */
export interface Marked {
  readonly content: string;
  readonly topic: string;
}

interface Text {
  readonly html: string;
  readonly topic: string;
}

/** Tags and entities, which are never marked, and words. */
const PIECE = new RegExp(`<[^>]*>|&#?\\w+;|${WORD}`, 'gu');
const WORDS = new RegExp(WORD, 'gu');
/** Different words per response: more than a page of ordinary messages has. */
const MAX_WORDS = 20_000;
/** Characters that are examined in one turn on the processor. */
const SLICE_SIZE_CHARACTERS = 64 * 1024;
/** Marks per message, and per response. */
const MAX_MARKS = { ofEach: 1000, ofAll: 64 * 1024 };

/**
 * Marks the words that the searches match, in all of their forms. Use the returned function for one response only: it
 * counts the marks.
 */
export async function marker(
  { db, lexemes }: { readonly db: Db; readonly lexemes: Lexemes },
  all: readonly Sought[],
  texts: readonly Text[],
): Promise<(text: Text) => Marked> {
  const words = await wordsOf(texts);
  const found = new Set<string>();
  for (const { text } of all) {
    const sought = (text.match(WORDS) ?? []).filter((word) => !isUnspaced(word));
    for (const word of await lexemes.formsOf(db, sought.join(' '), words)) found.add(word);
  }
  const runs = inRuns(all.flatMap(({ text }) => unspacedRuns(text)));
  let left = MAX_MARKS.ofAll;
  return ({ html, topic }) => {
    const most = Math.min(left, MAX_MARKS.ofEach);
    let marks = 0;
    const mark = (text: string) => {
      if (marks === most) return text;
      const highlight = (words: string) => {
        if (marks === most) return words;
        marks += 1;
        return `<span class="highlight">${words}</span>`;
      };
      return text.replace(PIECE, (piece) => {
        if (found.has(piece)) return highlight(piece);
        return runs !== undefined && isWord(piece) && isUnspaced(piece) ? piece.replace(runs, highlight) : piece;
      });
    };
    const marked = { topic: mark(escapeText(topic)), content: mark(html) };
    left -= marks;
    return marked;
  };
}

async function wordsOf(texts: readonly Text[]): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  let looked = 0;
  for (const { html, topic } of texts) {
    for (const [piece] of `${html} ${escapeText(topic)}`.matchAll(PIECE)) {
      if (isWord(piece) && !isUnspaced(piece)) words.add(piece);
      if (words.size === MAX_WORDS) return words;
    }
    looked += html.length;
    if (looked < SLICE_SIZE_CHARACTERS) continue;
    looked = 0;
    await turn();
  }
  return words;
}

/** Finds the searched runs within longer ones, the longest first; undefined if there are none. */
function inRuns(sought: readonly string[]): RegExp | undefined {
  if (sought.length === 0) return undefined;
  const longestFirst = [...new Set(sought)].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.join('|'), 'gu');
}

function isWord(piece: string): boolean {
  return !piece.startsWith('<') && !piece.startsWith('&');
}
