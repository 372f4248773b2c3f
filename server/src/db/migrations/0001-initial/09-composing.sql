-- Texts that a user saves for later use.
CREATE TABLE saved_snippets (
  organization_id integer     NOT NULL,
  user_id         integer     NOT NULL,
  id              bigint      GENERATED ALWAYS AS IDENTITY,
  title           text        NOT NULL,
  content         text        NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

-- Drafts of messages. Their number per user is bounded, so the primary key is the only index.
CREATE TABLE drafts (
  organization_id integer     NOT NULL,
  user_id         integer     NOT NULL,
  id              bigint      GENERATED ALWAYS AS IDENTITY,
  channel_id      integer,
  recipients      integer[]   NOT NULL,
  topic           text        NOT NULL,
  content         text        NOT NULL,
  edited_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users,
  CHECK (channel_id IS NULL OR recipients = '{}')
);

-- Messages that the server sends at a later time: to a channel, or to the participants of a direct conversation.
CREATE TABLE scheduled_messages (
  organization_id  integer     NOT NULL,
  user_id          integer     NOT NULL,
  id               bigint      GENERATED ALWAYS AS IDENTITY,
  channel_id       integer,
  participants     integer[],
  topic            text        NOT NULL,
  content          text        NOT NULL,
  rendered_content text        NOT NULL,
  client           text        NOT NULL,
  read_by_sender   boolean     NOT NULL,
  deliver_at       timestamptz NOT NULL,
  failed           boolean     NOT NULL DEFAULT false,
  revision         integer     NOT NULL DEFAULT 1,
  PRIMARY KEY (organization_id, user_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users,
  CHECK ((channel_id IS NULL) <> (participants IS NULL))
);
-- Each process looks for due messages every few seconds, so the index holds only those that can become due.
CREATE INDEX scheduled_messages_due ON scheduled_messages (deliver_at, organization_id) WHERE NOT failed;

-- Ids of scheduled messages that were sent lately. A client that deletes one of them at that moment gets a success.
CREATE TABLE delivered_scheduled_messages (
  organization_id integer     NOT NULL,
  user_id         integer     NOT NULL,
  id              bigint      NOT NULL,
  delivered_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE INDEX delivered_scheduled_messages_by_age ON delivered_scheduled_messages (delivered_at);

-- Reminders of messages, which the server sends to the user at a later time.
CREATE TABLE reminders (
  organization_id  integer     NOT NULL,
  user_id          integer     NOT NULL,
  id               bigint      GENERATED ALWAYS AS IDENTITY,
  message_id       bigint      NOT NULL,
  note             text        NOT NULL,
  content          text        NOT NULL,
  rendered_content text        NOT NULL,
  deliver_at       timestamptz NOT NULL,
  failed           boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, user_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
-- Each process looks for due reminders every few seconds, so the index holds only those that can become due.
CREATE INDEX reminders_due ON reminders (deliver_at, organization_id) WHERE NOT failed;
CREATE INDEX reminders_by_message ON reminders (organization_id, message_id);
