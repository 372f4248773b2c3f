/** The lexemes of words: what PostgreSQL's English configuration makes of them. Equal lexemes are forms of the same word. */
import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';

/**
 * Words whose lexemes are kept, and their longest length in characters. They take some 10 MB at most. A language uses few words often: most
 * messages of a page have no word that earlier pages lacked.
 */
const MAX_CACHED_WORDS = 50_000;
const MAX_CACHED_WORD_LENGTH = 40;

/**
 * A word that PostgreSQL's parser never splits, and that its English configuration passes to one dictionary. Calling the dictionary directly
 * takes a ninth of the time.
 */
const PLAIN_WORD = /^[a-z]+$/i;

export class Lexemes {
  #known = new Map<string, readonly string[]>();

  /** Returns those of the words that are a form of a word of the search. One statement, only if it has a word that is not known. */
  async formsOf(db: Db, sought: string, words: Iterable<string>): Promise<ReadonlySet<string>> {
    const all = [...words];
    const lexemes = await this.#of(db, [sought, ...all]);
    const wanted = new Set(lexemes.get(sought));
    return new Set(all.filter((word) => lexemes.get(word)?.some((lexeme) => wanted.has(lexeme))));
  }

  async #of(db: Db, words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const unknown = new Set(words.filter((word) => !this.#known.has(word)));
    if (unknown.size === 0) return this.#known;
    const known = words.flatMap((word) => {
      const lexemes = this.#known.get(word);
      return lexemes === undefined ? [] : [[word, lexemes] as const];
    });
    const found = await read(db, [...unknown]);
    this.#keep(found);
    return new Map([...known, ...found]);
  }

  /** Keeps the words of the rows, because a word that was cut out of a message would keep the whole message in memory. */
  #keep(read: ReadonlyMap<string, readonly string[]>): void {
    for (const [word, lexemes] of read) {
      if (word.length > MAX_CACHED_WORD_LENGTH) continue;
      // Not `clear`: another search may be reading the map.
      if (this.#known.size >= MAX_CACHED_WORDS) this.#known = new Map();
      this.#known.set(word, lexemes);
    }
  }
}

async function read(db: Db, words: readonly string[]): Promise<Map<string, readonly string[]>> {
  const { rows } = await sql<{ word: string; lexemes: string[] | null }>`
    SELECT word, ts_lexize('pg_catalog.english_stem', word) AS lexemes
      FROM unnest(${words.filter((word) => PLAIN_WORD.test(word))}::text[]) AS word
     UNION ALL
    SELECT word, tsvector_to_array(to_tsvector('pg_catalog.english', searchable(word)))
      FROM unnest(${words.filter((word) => !PLAIN_WORD.test(word))}::text[]) AS word`.execute(db);
  return new Map(rows.map(({ word, lexemes }) => [word, lexemes ?? []]));
}
