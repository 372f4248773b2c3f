-- Every table of an organization's data begins its primary key with `organization_id` and includes it in its foreign keys.
-- So no row can refer to a row of another organization.

-- Facts about this database itself. Example: the identity that shows that a backup was restored (`log/epoch.ts`).
CREATE TABLE server_facts (
  key   text PRIMARY KEY,
  value text NOT NULL
);

-- `settings` holds only the settings that someone changed. `user_settings_defaults` holds the settings that new accounts begin with.
-- `full_members_joined_through`: a member who joined after this time is not a full member yet. Null: all members are full members.
-- `retention_changed_at`: a new retention policy deletes nothing at first, so the time of its change is kept.
-- `direct_expired_through`: no direct message with an id up to this one is left to expire. The search for expired ones starts there.
-- So that search needs no index of its own.
-- `linkifiers` and `playgrounds` are ordered lists. The `last_…_id` columns hold the last id that each list has given out.
-- `told_server` is the server version that the organization's clients were last notified of. Null: that was never recorded.
CREATE TABLE organizations (
  id                          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subdomain                   text        NOT NULL UNIQUE,
  name                        text        NOT NULL,
  description                 text        NOT NULL DEFAULT '',
  settings                    jsonb       NOT NULL DEFAULT '{}',
  created_at                  timestamptz NOT NULL DEFAULT now(),
  deactivated_at              timestamptz,
  full_members_joined_through timestamptz,
  retention_changed_at        timestamptz NOT NULL DEFAULT now(),
  direct_expired_through      bigint      NOT NULL DEFAULT 0,
  user_settings_defaults      jsonb       NOT NULL DEFAULT '{}',
  pictures                    jsonb,
  linkifiers                  jsonb       NOT NULL DEFAULT '[]',
  last_linkifier_id           integer     NOT NULL DEFAULT 0,
  playgrounds                 jsonb       NOT NULL DEFAULT '[]',
  last_playground_id          integer     NOT NULL DEFAULT 0,
  told_server                 jsonb
);

-- The email domains that an organization allows for new accounts. Their number is bounded.
CREATE TABLE organization_domains (
  organization_id   integer NOT NULL REFERENCES organizations,
  id                bigint  GENERATED ALWAYS AS IDENTITY,
  domain            text    NOT NULL,
  allows_subdomains boolean NOT NULL,
  PRIMARY KEY (organization_id, domain)
);

-- An organization's icon and logos: one small picture of each kind. A new picture replaces the old one.
CREATE TABLE organization_pictures (
  organization_id integer NOT NULL REFERENCES organizations,
  kind            text    NOT NULL,
  picture         bytea   NOT NULL,
  PRIMARY KEY (organization_id, kind)
);
