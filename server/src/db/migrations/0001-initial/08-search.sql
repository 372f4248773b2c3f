-- The words of messages, for search. A job adds those of new messages shortly after they are sent (`domain/reading/history/indexing.ts`).
-- So sending a message does not wait for it.
-- Triggers update and delete the words in the transaction that changes or deletes the message, whatever code does it.
-- The job and the triggers exclude each other with an advisory lock. So the job stores no words of a text that an edit is replacing.
CREATE TABLE message_words (
  organization_id integer  NOT NULL,
  message_id      bigint   NOT NULL,
  words           tsvector NOT NULL,
  PRIMARY KEY (organization_id, message_id)
);
-- `fastupdate` is off: otherwise one transaction at times must work off the pending list of all others.
-- That can be an edit which holds the organization lock.
CREATE INDEX message_words_by_word ON message_words USING gin (words) WITH (fastupdate = off);

-- The last message of each organization that has its words in `message_words`.
CREATE TABLE indexed_messages (
  organization_id integer PRIMARY KEY REFERENCES organizations,
  through         bigint NOT NULL
);

-- Replaces characters that PostgreSQL's parser reads as parts of hosts, addresses and paths. The text of a search passes through it too.
-- The parser takes long runs of them apart anew at each character: a text of 10,000 characters took seconds.
-- `replace` is called five times because `translate` looks at each character singly, and took half of the time for a long text.
CREATE FUNCTION searchable(text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(replace(replace(replace(replace(text, '_', ' '), '@', ' '), '~', ' '), '-', ' '), './', ' ');

-- The words of a topic have weight A, and those of the text have weight D.
CREATE FUNCTION words_of_topic(topic text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN setweight(to_tsvector('pg_catalog.english', searchable(topic)), 'A');

-- PostgreSQL's parser does not take tags and their attributes for words.
CREATE FUNCTION words_of_message(topic text, html text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('pg_catalog.english', searchable(html)) || words_of_topic(topic);

-- A move can change the topic of thousands of messages while it holds the organization lock. It then keeps the words of their texts.
CREATE FUNCTION keep_message_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(hashtext('message_words'), OLD.organization_id);
      UPDATE message_words
         SET words = CASE WHEN OLD.rendered_content = NEW.rendered_content
                          THEN ts_filter(words, '{d}') || words_of_topic(NEW.topic)
                          ELSE words_of_message(NEW.topic, NEW.rendered_content) END
       WHERE organization_id = OLD.organization_id AND message_id = OLD.id;
      RETURN NULL;
    END $$;
CREATE TRIGGER keep_message_words AFTER UPDATE OF topic, rendered_content ON messages
  FOR EACH ROW WHEN (OLD.topic <> NEW.topic OR OLD.rendered_content <> NEW.rendered_content)
  EXECUTE FUNCTION keep_message_words();

-- Deleting messages deletes their words, for all messages of a statement together.
CREATE FUNCTION forget_message_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(hashtext('message_words'), id)
         FROM (SELECT DISTINCT organization_id AS id FROM gone) AS organizations;
      DELETE FROM message_words USING gone
       WHERE message_words.organization_id = gone.organization_id AND message_words.message_id = gone.id;
      RETURN NULL;
    END $$;
CREATE TRIGGER forget_message_words AFTER DELETE ON messages REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION forget_message_words();
