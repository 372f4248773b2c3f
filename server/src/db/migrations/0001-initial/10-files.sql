-- Uploaded files. `unlinked_since` is null while a message or a scheduled message links to the file.
-- `picture` describes a file that clients can show as a picture.
CREATE TABLE attachments (
  organization_id integer     NOT NULL,
  id              bigint      GENERATED ALWAYS AS IDENTITY,
  owner_id        integer     NOT NULL,
  path_id         text        NOT NULL,
  storage_key     text        NOT NULL,
  name            text        NOT NULL,
  content_type    text        NOT NULL,
  size            bigint      NOT NULL,
  picture         jsonb,
  created_at      timestamptz NOT NULL DEFAULT now(),
  unlinked_since  timestamptz DEFAULT now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, path_id),
  FOREIGN KEY (organization_id, owner_id) REFERENCES users
);
CREATE INDEX attachments_by_owner ON attachments (organization_id, owner_id, id);
CREATE INDEX attachments_unlinked ON attachments (unlinked_since) WHERE unlinked_since IS NOT NULL;

-- Which messages link to a file.
CREATE TABLE attachment_messages (
  organization_id integer NOT NULL,
  attachment_id   bigint  NOT NULL,
  message_id      bigint  NOT NULL,
  PRIMARY KEY (organization_id, attachment_id, message_id),
  FOREIGN KEY (organization_id, attachment_id) REFERENCES attachments ON DELETE CASCADE,
  FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE
);
CREATE INDEX attachments_by_message ON attachment_messages (organization_id, message_id);

-- Which scheduled messages link to a file.
CREATE TABLE attachment_scheduled_messages (
  organization_id      integer NOT NULL,
  attachment_id        bigint  NOT NULL,
  user_id              integer NOT NULL,
  scheduled_message_id bigint  NOT NULL,
  PRIMARY KEY (organization_id, attachment_id, user_id, scheduled_message_id),
  FOREIGN KEY (organization_id, attachment_id) REFERENCES attachments ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id, scheduled_message_id) REFERENCES scheduled_messages ON DELETE CASCADE
);
CREATE INDEX attachments_by_scheduled_message
  ON attachment_scheduled_messages (organization_id, user_id, scheduled_message_id);

-- The size of all files of an organization. Adding the sizes up would read all its files at each upload.
CREATE TABLE upload_space (
  organization_id integer PRIMARY KEY REFERENCES organizations,
  bytes           bigint NOT NULL
);

-- Keys in the file storage whose content the server deletes at `due_at`. An upload notes its key here until it is complete.
CREATE TABLE storage_leftovers (
  key    text PRIMARY KEY,
  due_at timestamptz NOT NULL
);
CREATE INDEX storage_leftovers_due ON storage_leftovers (due_at);

-- Uploads that arrive in parts. The row goes with its note in `storage_leftovers`: when the upload is complete, or abandoned.
-- `holder` is the request that works on the upload until `held_until`. `is_awaited` says that another request waits for it.
CREATE TABLE resumable_uploads (
  organization_id integer     NOT NULL,
  user_id         integer     NOT NULL,
  key             text        PRIMARY KEY REFERENCES storage_leftovers ON DELETE CASCADE,
  size            bigint      NOT NULL,
  metadata        jsonb       NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  holder          text,
  held_until      timestamptz,
  is_awaited      boolean     NOT NULL DEFAULT false,
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE INDEX resumable_uploads_by_user ON resumable_uploads (organization_id, user_id);
