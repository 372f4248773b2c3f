import type { Db } from '../../db/schema.ts';
import { escapeText } from '../../markup/index.ts';
import { type Sought, wordsAmong } from './search.ts';

/** A message with what was found in it marked, as HTML (public reference: `match_content`, `match_subject`). */
export interface Marked {
  readonly content: string;
  readonly topic: string;
}

interface Text {
  readonly html: string;
  readonly topic: string;
}

/** Tags and entities, which are not marked, and words. */
const PIECE = /<[^>]*>|&#?\w+;|[\p{L}\p{N}_]+/gu;
/** Different words that are looked at: more than a page of ordinary messages has. */
const MOST_WORDS = 20_000;

/** Marks the words of the texts that are sought, in whichever form they are there. */
export async function marker(db: Db, all: readonly Sought[], texts: readonly Text[]): Promise<(text: Text) => Marked> {
  const words = new Set<string>();
  for (const { html, topic } of texts) {
    for (const [piece] of `${html} ${escapeText(topic)}`.matchAll(PIECE)) {
      if (words.size < MOST_WORDS && isWord(piece)) words.add(piece);
    }
  }
  const found = new Set<string>();
  for (const { text } of all) for (const word of await wordsAmong(db, text, [...words])) found.add(word);
  const mark = (html: string) =>
    html.replace(PIECE, (piece) => (found.has(piece) ? `<span class="highlight">${piece}</span>` : piece));
  return ({ html, topic }) => ({ content: mark(html), topic: mark(escapeText(topic)) });
}

function isWord(piece: string): boolean {
  return !piece.startsWith('<') && !piece.startsWith('&');
}
