import { type Kysely, sql } from 'kysely';

/**
 * The words of messages, for who searches. New ones are added a moment after they are sent, by a job (`features/history/indexing.ts`), so that
 * sending costs nothing. What changes a message, or deletes it, changes its words in the same transaction, whoever does it: the trigger. It
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
  await sql`CREATE INDEX message_words_by_word ON message_words USING gin (words)`.execute(db);
  await sql`
    CREATE TABLE indexed_messages (
      organization_id integer PRIMARY KEY REFERENCES organizations,
      through         bigint  NOT NULL
    )`.execute(db);
  // Tags and their attributes are no words to PostgreSQL's parser.
  await sql`
    CREATE FUNCTION words_of_message(topic text, html text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_tsvector('pg_catalog.english', html || ' ' || topic)`.execute(db);
  await sql`
    CREATE FUNCTION keep_message_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(hashtext('message_words'), OLD.organization_id);
      IF TG_OP = 'DELETE' THEN
        DELETE FROM message_words WHERE organization_id = OLD.organization_id AND message_id = OLD.id;
      ELSE
        UPDATE message_words SET words = words_of_message(NEW.topic, NEW.rendered_content)
         WHERE organization_id = OLD.organization_id AND message_id = OLD.id;
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER keep_message_words AFTER DELETE OR UPDATE OF topic, rendered_content ON messages
      FOR EACH ROW EXECUTE FUNCTION keep_message_words()`.execute(db);
}
