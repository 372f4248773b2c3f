import { type Kysely, sql } from 'kysely';

/**
 * The words of messages, for who searches. New ones are added a moment after they are sent, by a job (`features/history/indexing.ts`), so that
 * sending costs nothing. What changes a message, or deletes it, changes its words in the same transaction, whoever does it: the triggers. They
 * and the job keep out of each other's way by a lock, so that no words are written of a text that is being replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE message_words (
      organization_id integer  NOT NULL,
      message_id      bigint   NOT NULL,
      words           tsvector NOT NULL,
      PRIMARY KEY (organization_id, message_id)
    )`.execute(db);
  // Without a list of what is yet to be put in its place, which whoever fills it empties for all: it may be an edit, with the log in hand.
  await sql`CREATE INDEX message_words_by_word ON message_words USING gin (words) WITH (fastupdate = off)`.execute(db);
  await sql`
    CREATE TABLE indexed_messages (
      organization_id integer PRIMARY KEY REFERENCES organizations,
      through         bigint  NOT NULL
    )`.execute(db);
  // PostgreSQL's parser takes long runs of these for hosts, addresses and paths, at each of their characters anew: a text of 10,000 took it
  // seconds. Asked for are the same parts of words.
  await sql`
    CREATE FUNCTION searchable(text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(translate(text, '_@~-', '    '), './', ' ')`.execute(db);
  await sql`
    CREATE FUNCTION words_of_topic(topic text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN setweight(to_tsvector('pg_catalog.english', searchable(topic)), 'A')`.execute(db);
  // Tags and their attributes are no words to PostgreSQL's parser.
  await sql`
    CREATE FUNCTION words_of_message(topic text, html text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_tsvector('pg_catalog.english', searchable(html)) || words_of_topic(topic)`.execute(db);
  // A topic of thousands of messages may be moved with the log in hand: then no text is parsed again.
  await sql`
    CREATE FUNCTION keep_message_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(hashtext('message_words'), OLD.organization_id);
      UPDATE message_words
         SET words = CASE WHEN OLD.rendered_content = NEW.rendered_content
                          THEN ts_filter(words, '{d}') || words_of_topic(NEW.topic)
                          ELSE words_of_message(NEW.topic, NEW.rendered_content) END
       WHERE organization_id = OLD.organization_id AND message_id = OLD.id;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER keep_message_words AFTER UPDATE OF topic, rendered_content ON messages
      FOR EACH ROW WHEN (OLD.topic <> NEW.topic OR OLD.rendered_content <> NEW.rendered_content)
      EXECUTE FUNCTION keep_message_words()`.execute(db);
  await sql`
    CREATE FUNCTION forget_message_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(hashtext('message_words'), id)
         FROM (SELECT DISTINCT organization_id AS id FROM gone) AS organizations;
      DELETE FROM message_words USING gone
       WHERE message_words.organization_id = gone.organization_id AND message_words.message_id = gone.id;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER forget_message_words AFTER DELETE ON messages REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION forget_message_words()`.execute(db);
}
