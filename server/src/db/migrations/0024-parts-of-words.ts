import { type Kysely, sql } from 'kysely';

/**
 * Search finds parts of addresses, paths and names, and words inside of sentences that have no spaces. The job of `indexing.ts` writes the
 * words of older messages again, newest first. Until then, searches find these messages by their earlier words.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE indexed_messages ADD COLUMN old_words_through bigint NOT NULL DEFAULT 0`.execute(db);
  await sql`
    COMMENT ON COLUMN indexed_messages.old_words_through IS 'Messages up to this one still have the words of an earlier version.'`.execute(
    db,
  );
  await sql`UPDATE indexed_messages SET old_words_through = through`.execute(db);
  // Spaces in place of the characters that PostgreSQL's parser reads as parts of hosts, addresses, paths and signed numbers, so that each part
  // is a word. The slash of a closing tag is removed, because the parser must take it for a tag.
  await sql`
    CREATE FUNCTION separated(text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN replace(replace(replace(replace(replace(replace(replace(replace(
        text, '_', ' '), '@', ' '), '~', ' '), '-', ' '), '.', ' '), '+', ' '), '</', '<'), '/', ' ')`.execute(db);
  // Scripts without spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese; and Korean, whose words end with particles. A run of
  // such characters becomes its pairs, between its first and its last character: ABCD becomes A AB BC CD D. So BCD is the phrase "BC CD",
  // and a single character is the beginning of a pair.
  await sql`
    CREATE OR REPLACE FUNCTION searchable(text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE
        WHEN octet_length(text) = char_length(text) OR text !~ ${sql.lit(UNSPACED)} THEN separated(text)
        ELSE regexp_replace(
               regexp_replace(separated(text), ${sql.lit(`(${UNSPACED}+)`)}, ' \\1 ', 'g'),
               ${sql.lit(`(${UNSPACED})`)}, '\\1 \\1', 'g')
      END`.execute(db);
}

const UNSPACED = String.raw`[\u0e01-\u0e7f\u0e81-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30fa\u30fc-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]`;
