-- People and bots. A user is never deleted and its id never changes; `heddle_check_subscriptions` relies on that.
-- `own_settings` holds only what the user or the organization decided, under the names of the API.
-- `can_create_users` and `can_change_user_emails`: only the operator of the server grants these.
-- `system_bot` names the server's own bots. An organization lacks one whose address was taken before.
-- `address_is_confirmed`: whether anything showed that the address belongs to the user. A reusable invitation shows nothing.
CREATE TABLE users (
  organization_id        integer     NOT NULL REFERENCES organizations,
  id                     integer     GENERATED ALWAYS AS IDENTITY,
  email                  text        NOT NULL,
  delivery_email         text        NOT NULL,
  full_name              text        NOT NULL,
  role                   smallint    NOT NULL,
  is_active              boolean     NOT NULL DEFAULT true,
  is_bot                 boolean     NOT NULL DEFAULT false,
  bot_type               smallint,
  bot_owner_id           integer,
  timezone               text        NOT NULL DEFAULT '',
  avatar_version         integer     NOT NULL DEFAULT 1,
  password_hash          text,
  api_key_version        integer     NOT NULL DEFAULT 1,
  date_joined            timestamptz NOT NULL DEFAULT now(),
  system_bot             text,
  own_settings           jsonb       NOT NULL DEFAULT '{}',
  can_create_users       boolean     NOT NULL DEFAULT false,
  can_change_user_emails boolean     NOT NULL DEFAULT false,
  avatar_file            text,
  bot_settings           jsonb,
  address_is_confirmed   boolean     NOT NULL DEFAULT true,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, bot_owner_id) REFERENCES users
);
-- The address comes first. While the table has no statistics, the planner rates every index that begins with the organization like the
-- primary key. Checks of foreign keys then read all users of the organization for each row.
CREATE UNIQUE INDEX users_by_email ON users (lower(email), organization_id);
CREATE UNIQUE INDEX users_by_delivery_email ON users (lower(delivery_email), organization_id);

-- The uploaded picture of a user in two sizes. It is small, and a new picture replaces the old one.
CREATE TABLE avatar_pictures (
  organization_id integer NOT NULL,
  user_id         integer NOT NULL,
  picture         bytea   NOT NULL,
  medium          bytea   NOT NULL,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

-- Whom guests can access because of a direct conversation. It matters in organizations that hide other users from guests.
CREATE TABLE acquaintances (
  organization_id integer NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  guest_id        integer NOT NULL,
  user_id         integer NOT NULL,
  PRIMARY KEY (organization_id, guest_id, user_id)
);

-- Loading an organization's directory reads this table and `muted_users` whole. So no message waits for a query of them.
CREATE TABLE alert_words (
  organization_id integer NOT NULL,
  user_id         integer NOT NULL,
  words           text[]  NOT NULL,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

-- Which users a user has muted.
CREATE TABLE muted_users (
  organization_id integer     NOT NULL,
  user_id         integer     NOT NULL,
  muted_user_id   integer     NOT NULL,
  muted_at        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id, muted_user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users,
  FOREIGN KEY (organization_id, muted_user_id) REFERENCES users
);

-- The custom profile fields of an organization. A deleted field stays until batches have removed all its values.
CREATE TABLE profile_fields (
  organization_id     integer     NOT NULL REFERENCES organizations,
  id                  bigint      GENERATED ALWAYS AS IDENTITY,
  name                text        NOT NULL,
  type                smallint    NOT NULL,
  hint                text        NOT NULL,
  data                text        NOT NULL,
  position            bigint      NOT NULL,
  is_required         boolean     NOT NULL,
  is_editable_by_user boolean     NOT NULL,
  is_in_summary       boolean     NOT NULL,
  deleted_at          timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX profile_fields_by_name ON profile_fields (organization_id, name) WHERE deleted_at IS NULL;

-- What users entered into the custom profile fields. `html` is for the types of fields that have markup.
CREATE TABLE profile_values (
  organization_id integer NOT NULL,
  field_id        bigint  NOT NULL,
  user_id         integer NOT NULL,
  value           text    NOT NULL,
  html            text,
  PRIMARY KEY (organization_id, field_id, user_id),
  FOREIGN KEY (organization_id, field_id) REFERENCES profile_fields,
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

-- The last `update_id` of an organization's `presences`.
CREATE TABLE presence_heads (
  organization_id integer NOT NULL PRIMARY KEY REFERENCES organizations,
  last_update_id  bigint  NOT NULL
);

-- When users were connected and active: one row per user, and one statement writes many rows.
-- Rows change every minute. The fillfactor leaves room for the next version in the same page, and no index holds a column that changes.
-- So PostgreSQL need not change the index when it writes a row.
CREATE TABLE presences (
  organization_id integer     NOT NULL,
  user_id         integer     NOT NULL,
  update_id       bigint      NOT NULL,
  connected_at    timestamptz,
  active_at       timestamptz,
  seen_at         timestamptz,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
) WITH (fillfactor = 50);

-- The status text and emoji of users. A user without a status has no row.
CREATE TABLE user_statuses (
  organization_id integer NOT NULL,
  user_id         integer NOT NULL,
  status_text     text    NOT NULL,
  emoji_kind      text,
  emoji_code      text    NOT NULL,
  emoji_name      text    NOT NULL,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

-- The onboarding steps that clients have shown to a user.
CREATE TABLE onboarding_steps (
  organization_id integer NOT NULL,
  user_id         integer NOT NULL,
  shown           text[]  NOT NULL,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

-- The views that users arrange in their sidebar. Their number per user is bounded, so the primary key is the only index.
CREATE TABLE navigation_views (
  organization_id integer NOT NULL,
  user_id         integer NOT NULL,
  id              bigint  GENERATED ALWAYS AS IDENTITY,
  fragment        text    NOT NULL,
  is_pinned       boolean NOT NULL,
  name            text,
  PRIMARY KEY (organization_id, user_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

-- Keys and values that bots store on the server.
CREATE TABLE bot_storage (
  organization_id integer NOT NULL,
  user_id         integer NOT NULL,
  key             text    NOT NULL,
  value           text    NOT NULL,
  PRIMARY KEY (organization_id, user_id, key),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
