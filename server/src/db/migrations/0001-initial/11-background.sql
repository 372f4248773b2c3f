-- Work that happens later or in the background. A job belongs to an organization, or to the server (`organization_id` is null).
-- Workers look for due jobs of all organizations, so the primary key is `id` alone.
-- Other code refers to a job only by its key, which begins with the organization.
CREATE TABLE jobs (
  id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer     REFERENCES organizations,
  kind            text        NOT NULL,
  key             text,
  payload         jsonb       NOT NULL CHECK (octet_length(payload::text) <= 131072),
  attempts        integer     NOT NULL DEFAULT 0,
  due_at          timestamptz NOT NULL DEFAULT now(),
  added_at        timestamptz NOT NULL DEFAULT now(),
  failed_at       timestamptz,
  last_error      text
) WITH (fillfactor = 70);
CREATE INDEX jobs_due ON jobs (kind, due_at, id) WHERE failed_at IS NULL;
CREATE INDEX jobs_failed ON jobs (failed_at, id) WHERE failed_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_by_key ON jobs (organization_id, kind, key) NULLS NOT DISTINCT WHERE key IS NOT NULL;

-- Phones that receive notifications: either an encrypted registration or a plain token. Their number per user is bounded.
CREATE TABLE push_devices (
  organization_id   integer     NOT NULL,
  user_id           integer     NOT NULL,
  id                bigint      GENERATED ALWAYS AS IDENTITY,
  kind              text        NOT NULL,
  push_account_id   bigint,
  push_key          bytea,
  service_device_id bigint,
  token             text,
  token_key         text,
  ios_app_id        text,
  state             text        NOT NULL,
  error_code        text,
  registration      jsonb,
  registered_at     timestamptz NOT NULL DEFAULT now(),
  attempts          integer     NOT NULL DEFAULT 0,
  due_at            timestamptz,
  PRIMARY KEY (organization_id, user_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users,
  UNIQUE (organization_id, user_id, push_account_id),
  UNIQUE (organization_id, user_id, token_key),
  CHECK ((push_account_id IS NULL) <> (token IS NULL))
);
-- Only the devices that the server must notify the push service of.
CREATE INDEX push_devices_due ON push_devices (due_at) WHERE due_at IS NOT NULL;

-- Devices that clients have registered for a user. Their number per user is bounded.
CREATE TABLE client_devices (
  organization_id integer NOT NULL,
  user_id         integer NOT NULL,
  id              bigint  GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (organization_id, user_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

-- The last event of each organization's log that was examined for notifications to phones.
CREATE TABLE push_cursors (
  organization_id integer PRIMARY KEY REFERENCES organizations,
  read_through    bigint NOT NULL
);

-- Notifications that phones show, that the server must send, or that it must remove from the phones.
-- There is no foreign key to `messages`: the notification of a deleted message must still be removed from the phones.
CREATE TABLE push_notifications (
  organization_id integer     NOT NULL,
  user_id         integer     NOT NULL,
  message_id      bigint      NOT NULL,
  cause           text        NOT NULL,
  group_id        integer,
  state           text        NOT NULL,
  attempts        integer     NOT NULL DEFAULT 0,
  due_at          timestamptz,
  added_at        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id, message_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE INDEX push_notifications_due ON push_notifications (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX push_notifications_by_message ON push_notifications (organization_id, message_id);

-- The last event of each organization's log that was examined for outgoing webhook bots.
CREATE TABLE outgoing_cursors (
  organization_id integer PRIMARY KEY REFERENCES organizations,
  read_through    bigint NOT NULL
);

-- Messages that the server must send to the services of outgoing webhook bots.
-- There is no foreign key to `messages`: a deleted message is not sent, and deleting a message need not know of this table.
CREATE TABLE outgoing_requests (
  organization_id integer     NOT NULL,
  bot_id          integer     NOT NULL,
  message_id      bigint      NOT NULL,
  trigger         text        NOT NULL,
  attempts        integer     NOT NULL DEFAULT 0,
  due_at          timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, bot_id, message_id),
  FOREIGN KEY (organization_id, bot_id) REFERENCES users
);
CREATE INDEX outgoing_requests_due ON outgoing_requests (organization_id, bot_id, due_at);
