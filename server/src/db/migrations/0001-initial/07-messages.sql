-- Direct conversations: one row for each set of participants. `fingerprint` identifies the set.
CREATE TABLE direct_conversations (
  organization_id integer   NOT NULL REFERENCES organizations,
  id              integer   GENERATED ALWAYS AS IDENTITY,
  recipient_id    bigint    NOT NULL DEFAULT nextval('recipient_ids'),
  participants    integer[] NOT NULL,
  fingerprint     text      NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, fingerprint)
);

-- The participants of direct conversations, with the last read id of each.
CREATE TABLE direct_participants (
  organization_id integer NOT NULL,
  user_id         integer NOT NULL,
  conversation_id integer NOT NULL,
  read_through    bigint  NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, user_id, conversation_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users,
  FOREIGN KEY (organization_id, conversation_id) REFERENCES direct_conversations
);

-- A message belongs to a channel or to a direct conversation. The log of the organization numbers the messages.
-- `home_channel_id`, `stay_channels` and `stay_since` are null for a message that was never moved between channels.
-- They say where it was sent, and since which event it has been in which channel (`access/unread-messages.ts`).
-- `edit_count` counts all edits and moves. Resolving a topic does not change `moved_at`.
-- `has_reactions` and `has_submessages`: pages of history query those tables only for messages that have some.
-- Index-only scans count unread messages, so recent pages must become all-visible soon: hence the settings of autovacuum.
CREATE TABLE messages (
  organization_id  integer     NOT NULL,
  id               bigint      NOT NULL,
  sender_id        integer     NOT NULL,
  channel_id       integer,
  conversation_id  integer,
  topic            text        NOT NULL,
  content          text        NOT NULL,
  rendered_content text        NOT NULL,
  mentions_channel boolean     NOT NULL,
  is_me_message    boolean     NOT NULL,
  client           text        NOT NULL,
  sent_at          timestamptz NOT NULL,
  home_channel_id  integer,
  stay_channels    integer[],
  stay_since       bigint[],
  edit_count       integer     NOT NULL DEFAULT 0,
  edited_at        timestamptz,
  moved_at         timestamptz,
  has_reactions    boolean     NOT NULL DEFAULT false,
  has_submessages  boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  CHECK ((channel_id IS NULL) <> (conversation_id IS NULL)),
  FOREIGN KEY (organization_id, sender_id) REFERENCES users,
  FOREIGN KEY (organization_id, channel_id) REFERENCES channels,
  FOREIGN KEY (organization_id, conversation_id) REFERENCES direct_conversations
) WITH (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000);
CREATE INDEX messages_by_topic ON messages (organization_id, channel_id, lower(topic), id)
  WHERE channel_id IS NOT NULL;
CREATE INDEX messages_by_conversation ON messages (organization_id, conversation_id, id)
  WHERE conversation_id IS NOT NULL;
CREATE INDEX messages_mentioning_channel ON messages (organization_id, channel_id, id)
  WHERE mentions_channel;
CREATE INDEX messages_by_sender ON messages (organization_id, sender_id, id);
CREATE INDEX messages_moved_by_home ON messages (organization_id, home_channel_id, id)
  WHERE home_channel_id IS NOT NULL;
CREATE INDEX messages_moved_by_channel ON messages (organization_id, channel_id, id)
  WHERE home_channel_id IS NOT NULL;
-- Counting unread messages by topic reads this index alone, so it includes the columns for that.
CREATE INDEX messages_by_channel ON messages (organization_id, channel_id, id)
  INCLUDE (topic, mentions_channel, home_channel_id)
  WHERE channel_id IS NOT NULL;
CREATE INDEX messages_with_reactions ON messages (organization_id, id)
  WHERE has_reactions;

-- A row exists only where a user's state of a message differs from the default that `read_through` gives. `db/flag-bits.ts` has the bits.
-- One event can add thousands of rows, so PostgreSQL updates the statistics sooner than usual.
CREATE TABLE message_flags (
  organization_id integer  NOT NULL,
  user_id         integer  NOT NULL,
  message_id      bigint   NOT NULL,
  flags           smallint NOT NULL,
  PRIMARY KEY (organization_id, user_id, message_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users,
  FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE
) WITH (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 5000);
CREATE INDEX message_flags_starred ON message_flags (organization_id, user_id, message_id)
  WHERE flags & 4 <> 0;
CREATE INDEX message_flags_unread ON message_flags (organization_id, user_id, message_id)
  WHERE flags & 2 <> 0;
CREATE INDEX message_flags_mentioned ON message_flags (organization_id, user_id, message_id)
  WHERE flags & 24 <> 0;
-- This index includes the user. So both indexes find the row of one user, and the planner's choice does not matter.
CREATE INDEX message_flags_by_message ON message_flags (organization_id, message_id, user_id);
CREATE INDEX message_flags_alerted ON message_flags (organization_id, user_id, message_id)
  WHERE flags & 32 <> 0;

-- Who is mentioned where a message mentions very many users: bits that count from `first_user_id` (`db/user-bits.ts`).
-- These users have no row in `message_flags` for the mention.
CREATE TABLE mass_mentions (
  organization_id integer NOT NULL,
  message_id      bigint  NOT NULL,
  first_user_id   integer NOT NULL,
  user_bits       bytea   NOT NULL,
  PRIMARY KEY (organization_id, message_id),
  FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE
);

-- What messages were before each edit or move, numbered from 1 to the message's `edit_count`. What did not change is null.
CREATE TABLE message_edits (
  organization_id       integer     NOT NULL,
  message_id            bigint      NOT NULL,
  number                integer     NOT NULL,
  user_id               integer     NOT NULL,
  edited_at             timestamptz NOT NULL,
  prev_content          text,
  prev_rendered_content text,
  prev_topic            text,
  topic                 text,
  prev_channel_id       integer,
  channel_id            integer,
  PRIMARY KEY (organization_id, message_id, number),
  FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES users,
  CHECK ((prev_content IS NULL) = (prev_rendered_content IS NULL)),
  CHECK ((prev_topic IS NULL) = (topic IS NULL)),
  CHECK ((prev_channel_id IS NULL) = (channel_id IS NULL))
);

-- Reactions to messages. `by_outsider`: the user was not subscribed to the message's channel.
-- Events to the channel's subscribers do not reach such a user, so the audience names them.
CREATE TABLE reactions (
  organization_id integer NOT NULL,
  message_id      bigint  NOT NULL,
  emoji_kind      text    NOT NULL,
  emoji_code      text    NOT NULL,
  user_id         integer NOT NULL,
  emoji_name      text    NOT NULL,
  by_outsider     boolean NOT NULL,
  id              bigint  GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (organization_id, message_id, emoji_kind, emoji_code, user_id),
  FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE INDEX reactions_by_outsiders ON reactions (organization_id, message_id, user_id) WHERE by_outsider;

-- What widgets such as polls attach to messages.
CREATE TABLE submessages (
  organization_id integer NOT NULL,
  message_id      bigint  NOT NULL,
  place           integer NOT NULL,
  sender_id       integer NOT NULL,
  kind            text    NOT NULL,
  content         text    NOT NULL,
  PRIMARY KEY (organization_id, message_id, place),
  FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE,
  FOREIGN KEY (organization_id, sender_id) REFERENCES users
);

-- Custom emoji of an organization. `file` is a random part of the pictures' address.
CREATE TABLE custom_emoji (
  organization_id integer     NOT NULL REFERENCES organizations,
  id              bigint      GENERATED ALWAYS AS IDENTITY,
  name            text        NOT NULL,
  author_id       integer     NOT NULL,
  file            text        NOT NULL,
  extension       text        NOT NULL,
  is_animated     boolean     NOT NULL,
  is_deactivated  boolean     NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, file),
  FOREIGN KEY (organization_id, author_id) REFERENCES users
);
CREATE UNIQUE INDEX custom_emoji_by_name ON custom_emoji (organization_id, name) WHERE NOT is_deactivated;

-- The pictures of custom emoji. `still` is null where the picture is not animated.
CREATE TABLE custom_emoji_pictures (
  organization_id integer NOT NULL,
  emoji_id        bigint  NOT NULL,
  picture         bytea   NOT NULL,
  still           bytea,
  PRIMARY KEY (organization_id, emoji_id),
  FOREIGN KEY (organization_id, emoji_id) REFERENCES custom_emoji
);
