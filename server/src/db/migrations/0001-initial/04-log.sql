-- One row per organization: the lock that orders its changes, and the counters that this lock protects.
-- `head` and `message_head` are the last ids of events and messages. `directory_head` is the last event that changed the directory.
-- Retention has deleted the events up to `trimmed_through`.
-- `epoch` changes when ids have gone back, for example after a restored backup. Queues of an earlier epoch have ended.
-- Every commit changes the row. The fillfactor leaves most of its page free, so that its next versions stay in that page.
CREATE TABLE logs (
  organization_id integer PRIMARY KEY REFERENCES organizations,
  head            bigint NOT NULL DEFAULT 0,
  directory_head  bigint NOT NULL DEFAULT 0,
  message_head    bigint NOT NULL DEFAULT 0,
  trimmed_through bigint NOT NULL DEFAULT 0,
  epoch           uuid   NOT NULL DEFAULT gen_random_uuid()
) WITH (fillfactor = 10);

-- A statement that appends to a log calls this when the log has changed meanwhile. The error stops the transaction from committing.
CREATE FUNCTION heddle_refuse_append() RETURNS bigint LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the log is not where the change expects it' USING ERRCODE = 'HD001';
    END $$;

-- The log of each organization: what happened, without gaps in `id`.
-- `audience` is a rule that says which users receive the event. `deltas` are the changes to the directory; null: there are none.
CREATE TABLE events (
  organization_id integer     NOT NULL REFERENCES logs,
  id              bigint      NOT NULL,
  type            text        NOT NULL,
  audience        text        NOT NULL,
  body            text        NOT NULL,
  deltas           text,
  message_id      bigint,
  ephemeral       boolean     NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id)
);
-- Loading a directory reads these events, to learn who had access at earlier events.
CREATE INDEX events_with_deltas ON events (organization_id, id) WHERE deltas IS NOT NULL;
-- Deleting a message removes its text from the log as well. Message ids rise with the log, so a coarse BRIN index is enough.
-- It has a thousandth of the size of an index of each id, and sending a message costs next to nothing more.
CREATE INDEX events_by_message ON events USING brin (message_id) WITH (pages_per_range = 16);

-- The event queues of clients. A queue receives the events after `starts_after`; the client has confirmed those up to `acknowledged_id`.
-- Every few seconds one statement writes `last_fetched_at` of all queues that clients have read from.
-- Because no index has that column and the fillfactor leaves room, the rows stay in their pages and no index changes.
-- The price: the search for idle queues reads the whole table once a minute. A million queues take a quarter to half a second.
CREATE TABLE queues (
  organization_id integer     NOT NULL,
  id              text        NOT NULL,
  user_id         integer     NOT NULL,
  client          text        NOT NULL,
  settings        text        NOT NULL,
  acknowledged_id bigint      NOT NULL,
  registered_at   timestamptz NOT NULL DEFAULT now(),
  last_fetched_at timestamptz NOT NULL DEFAULT now(),
  epoch           uuid,
  starts_after    bigint      NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
) WITH (fillfactor = 80);
-- Every registration counts the user's queues.
CREATE INDEX queues_by_user ON queues (organization_id, user_id);

-- The length of each organization's log when the server last had PostgreSQL count the rows of all tables (`db/statistics.ts`).
CREATE TABLE counted_logs (
  organization_id integer PRIMARY KEY REFERENCES organizations,
  head            bigint NOT NULL
);
