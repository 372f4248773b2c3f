import { type Kysely, sql } from 'kysely';

/**
 * Every table that belongs to an organization leads its primary key with `organization_id` and includes it in its foreign
 * keys, so no row can point across organizations.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE server_facts (
      key   text PRIMARY KEY,
      value text NOT NULL
    )`.execute(db);

  await sql`
    CREATE TABLE organizations (
      id             integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      subdomain      text        NOT NULL UNIQUE,
      name           text        NOT NULL,
      description    text        NOT NULL DEFAULT '',
      settings       jsonb       NOT NULL DEFAULT '{}',
      created_at     timestamptz NOT NULL DEFAULT now(),
      deactivated_at timestamptz
    )`.execute(db);

  // One row an organization: the lock that orders its changes, and the counters that the lock protects.
  await sql`
    CREATE TABLE logs (
      organization_id integer PRIMARY KEY REFERENCES organizations,
      head            bigint NOT NULL DEFAULT 0,
      directory_head  bigint NOT NULL DEFAULT 0,
      message_head    bigint NOT NULL DEFAULT 0,
      trimmed_through bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 10)`.execute(db);

  await sql`
    CREATE TABLE events (
      organization_id integer     NOT NULL REFERENCES logs,
      id              bigint      NOT NULL,
      type            text        NOT NULL,
      audience        text        NOT NULL,
      body            text        NOT NULL,
      facts           text,
      message_id      bigint,
      ephemeral       boolean     NOT NULL DEFAULT false,
      created_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, id)
    )`.execute(db);

  await sql`
    CREATE TABLE users (
      organization_id  integer     NOT NULL REFERENCES organizations,
      id               integer     GENERATED ALWAYS AS IDENTITY,
      email            text        NOT NULL,
      delivery_email   text        NOT NULL,
      full_name        text        NOT NULL,
      role             smallint    NOT NULL,
      is_active        boolean     NOT NULL DEFAULT true,
      is_bot           boolean     NOT NULL DEFAULT false,
      bot_type         smallint,
      bot_owner_id     integer,
      timezone         text        NOT NULL DEFAULT '',
      avatar_version   integer     NOT NULL DEFAULT 1,
      password_hash    text,
      api_key_version  integer     NOT NULL DEFAULT 1,
      date_joined      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, bot_owner_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX users_by_email ON users (organization_id, lower(email))`.execute(db);
  await sql`CREATE UNIQUE INDEX users_by_delivery_email ON users (organization_id, lower(delivery_email))`.execute(db);

  await sql`
    CREATE TABLE user_groups (
      organization_id integer     NOT NULL REFERENCES organizations,
      id              integer     GENERATED ALWAYS AS IDENTITY,
      name            text        NOT NULL,
      description     text        NOT NULL DEFAULT '',
      is_system       boolean     NOT NULL DEFAULT false,
      creator_id      integer,
      created_at      timestamptz NOT NULL DEFAULT now(),
      deactivated_at  timestamptz,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, creator_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX user_groups_by_name ON user_groups (organization_id, lower(name))`.execute(db);
  await sql`
    CREATE TABLE user_group_subgroups (
      organization_id integer NOT NULL,
      group_id        integer NOT NULL,
      subgroup_id     integer NOT NULL,
      PRIMARY KEY (organization_id, group_id, subgroup_id),
      FOREIGN KEY (organization_id, group_id) REFERENCES user_groups,
      FOREIGN KEY (organization_id, subgroup_id) REFERENCES user_groups
    )`.execute(db);

  // Channels and direct conversations share one sequence: a recipient id names a set of recipients across both.
  await sql`CREATE SEQUENCE recipient_ids`.execute(db);

  await sql`
    CREATE TABLE channels (
      organization_id               integer     NOT NULL REFERENCES organizations,
      id                            integer     GENERATED ALWAYS AS IDENTITY,
      recipient_id                  bigint      NOT NULL DEFAULT nextval('recipient_ids'),
      name                          text        NOT NULL,
      description                   text        NOT NULL,
      rendered_description          text        NOT NULL,
      creator_id                    integer,
      created_at                    timestamptz NOT NULL DEFAULT now(),
      is_private                    boolean     NOT NULL,
      is_web_public                 boolean     NOT NULL,
      history_public_to_subscribers boolean     NOT NULL,
      is_archived                   boolean     NOT NULL DEFAULT false,
      is_default                    boolean     NOT NULL DEFAULT false,
      message_retention_days        integer,
      topics_policy                 text        NOT NULL,
      folder_id                     integer,
      first_message_id              bigint,
      group_settings                jsonb       NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, creator_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX channels_by_name ON channels (organization_id, lower(name))`.execute(db);

  // `since_*` are the log's positions when the subscription began; messages after `since_message_id` reached the user.
  await sql`
    CREATE TABLE subscriptions (
      organization_id          integer NOT NULL,
      user_id                  integer NOT NULL,
      channel_id               integer NOT NULL,
      is_active                boolean NOT NULL DEFAULT true,
      since_event_id           bigint  NOT NULL,
      since_message_id         bigint  NOT NULL,
      read_through             bigint  NOT NULL,
      color                    text    NOT NULL,
      is_muted                 boolean NOT NULL DEFAULT false,
      pin_to_top               boolean NOT NULL DEFAULT false,
      desktop_notifications    boolean,
      audible_notifications    boolean,
      push_notifications       boolean,
      email_notifications      boolean,
      wildcard_mentions_notify boolean,
      PRIMARY KEY (organization_id, user_id, channel_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users,
      FOREIGN KEY (organization_id, channel_id) REFERENCES channels
    )`.execute(db);
  await sql`
    CREATE INDEX subscriptions_by_channel ON subscriptions (organization_id, channel_id) WHERE is_active`.execute(db);

  // Ended subscriptions: protected history is readable for just these intervals, and lagging readers resolve audiences by them.
  await sql`
    CREATE TABLE subscription_intervals (
      organization_id  integer NOT NULL,
      user_id          integer NOT NULL,
      channel_id       integer NOT NULL,
      since_event_id   bigint  NOT NULL,
      until_event_id   bigint  NOT NULL,
      since_message_id bigint  NOT NULL,
      until_message_id bigint  NOT NULL,
      PRIMARY KEY (organization_id, user_id, channel_id, since_event_id),
      FOREIGN KEY (organization_id, user_id, channel_id) REFERENCES subscriptions
    )`.execute(db);
  await sql`
    CREATE INDEX subscription_intervals_by_end ON subscription_intervals (organization_id, until_event_id)`.execute(db);

  await sql`
    CREATE TABLE direct_conversations (
      organization_id integer   NOT NULL REFERENCES organizations,
      id              integer   GENERATED ALWAYS AS IDENTITY,
      recipient_id    bigint    NOT NULL DEFAULT nextval('recipient_ids'),
      participants    integer[] NOT NULL,
      fingerprint     text      NOT NULL,
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, fingerprint)
    )`.execute(db);
  await sql`
    CREATE TABLE direct_participants (
      organization_id integer NOT NULL,
      user_id         integer NOT NULL,
      conversation_id integer NOT NULL,
      read_through    bigint  NOT NULL DEFAULT 0,
      PRIMARY KEY (organization_id, user_id, conversation_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users,
      FOREIGN KEY (organization_id, conversation_id) REFERENCES direct_conversations
    )`.execute(db);

  await sql`
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
      PRIMARY KEY (organization_id, id),
      CHECK ((channel_id IS NULL) <> (conversation_id IS NULL)),
      FOREIGN KEY (organization_id, sender_id) REFERENCES users,
      FOREIGN KEY (organization_id, channel_id) REFERENCES channels,
      FOREIGN KEY (organization_id, conversation_id) REFERENCES direct_conversations
    )`.execute(db);
  await sql`
    CREATE INDEX messages_by_channel ON messages (organization_id, channel_id, id)
      WHERE channel_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX messages_by_topic ON messages (organization_id, channel_id, lower(topic), id)
      WHERE channel_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX messages_by_conversation ON messages (organization_id, conversation_id, id)
      WHERE conversation_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX messages_mentioning_channel ON messages (organization_id, channel_id, id)
      WHERE mentions_channel`.execute(db);
  await sql`CREATE INDEX messages_by_sender ON messages (organization_id, sender_id, id)`.execute(db);

  // A row only where the user's state differs from the default that `read_through` gives; bits in db/flag-bits.ts.
  await sql`
    CREATE TABLE message_flags (
      organization_id integer  NOT NULL,
      user_id         integer  NOT NULL,
      message_id      bigint   NOT NULL,
      flags           smallint NOT NULL,
      PRIMARY KEY (organization_id, user_id, message_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users,
      FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE
    )`.execute(db);
  await sql`
    CREATE INDEX message_flags_starred ON message_flags (organization_id, user_id, message_id)
      WHERE flags & 4 <> 0`.execute(db);
  await sql`
    CREATE INDEX message_flags_unread ON message_flags (organization_id, user_id, message_id)
      WHERE flags & 2 <> 0`.execute(db);
  await sql`
    CREATE INDEX message_flags_mentioned ON message_flags (organization_id, user_id, message_id)
      WHERE flags & 24 <> 0`.execute(db);

  await sql`
    CREATE TABLE queues (
      organization_id  integer     NOT NULL,
      id               text        NOT NULL,
      user_id          integer     NOT NULL,
      client           text        NOT NULL,
      settings         text        NOT NULL,
      acknowledged_id  bigint      NOT NULL,
      registered_at    timestamptz NOT NULL DEFAULT now(),
      last_fetched_at  timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX queues_by_last_fetch ON queues (last_fetched_at)`.execute(db);
}
