-- Three triggers on `users` end sessions, links and desktop logins in the transaction that changes the account, whatever code does it.
-- Example: a session that began with an old password must not outlive that password.

-- Sessions of browsers, by a hash of their token.
CREATE TABLE sessions (
  organization_id integer     NOT NULL,
  token_hash      bytea       NOT NULL,
  user_id         integer     NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  used_at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, token_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE INDEX sessions_by_user ON sessions (organization_id, user_id, created_at);
CREATE INDEX sessions_by_use ON sessions (used_at);

-- A new password or a deactivation ends the sessions of the account.
CREATE FUNCTION heddle_end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM sessions WHERE organization_id = NEW.organization_id AND user_id = NEW.id;
      RETURN NULL;
    END $$;
CREATE TRIGGER end_sessions AFTER UPDATE OF password_hash, is_active ON users
  FOR EACH ROW
  WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash OR (OLD.is_active AND NOT NEW.is_active))
  EXECUTE FUNCTION heddle_end_sessions();

-- Links about an account, which the server mails to its user.
-- The link follows from the nonce and the server's secret; the hash finds the row.
-- A request for an address without an account adds a row as well (`user_id` is null), so that both requests take the same time.
CREATE TABLE account_links (
  organization_id integer     NOT NULL REFERENCES organizations,
  id              bigint      GENERATED ALWAYS AS IDENTITY,
  purpose         text        NOT NULL,
  user_id         integer,
  address         text        NOT NULL,
  nonce           bytea       NOT NULL,
  key_hash        bytea       NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  ended_at        timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE UNIQUE INDEX account_links_by_key ON account_links (key_hash);
CREATE INDEX account_links_by_address ON account_links (organization_id, lower(address), created_at);
CREATE INDEX account_links_by_user ON account_links (organization_id, user_id, created_at);
CREATE INDEX account_links_by_age ON account_links (created_at);

-- A new password, a new address or a deactivation ends the links of the account.
CREATE FUNCTION heddle_end_account_links() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE account_links SET ended_at = now()
       WHERE organization_id = NEW.organization_id AND user_id = NEW.id AND ended_at IS NULL;
      RETURN NULL;
    END $$;
CREATE TRIGGER end_account_links AFTER UPDATE OF password_hash, delivery_email, is_active ON users
  FOR EACH ROW
  WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash OR OLD.delivery_email <> NEW.delivery_email
        OR (OLD.is_active AND NOT NEW.is_active))
  EXECUTE FUNCTION heddle_end_account_links();

-- When the server mailed a user about a login. The rows bound how many such mails a user gets.
CREATE TABLE login_notices (
  organization_id integer     NOT NULL,
  user_id         integer     NOT NULL,
  id              bigint      GENERATED ALWAYS AS IDENTITY,
  noticed_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE INDEX login_notices_by_age ON login_notices (noticed_at);

-- Logins that a browser completed for a desktop app. The app turns one into a session, once and within minutes.
CREATE TABLE desktop_logins (
  organization_id integer     NOT NULL,
  token_hash      bytea       NOT NULL,
  user_id         integer     NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, token_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);
CREATE INDEX desktop_logins_by_user ON desktop_logins (organization_id, user_id);
CREATE INDEX desktop_logins_by_age ON desktop_logins (created_at);

-- A new password, a new address or a deactivation ends the desktop logins of the account.
CREATE FUNCTION heddle_end_desktop_logins() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM desktop_logins WHERE organization_id = NEW.organization_id AND user_id = NEW.id;
      RETURN NULL;
    END $$;
CREATE TRIGGER end_desktop_logins AFTER UPDATE OF password_hash, delivery_email, is_active ON users
  FOR EACH ROW
  WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash OR OLD.delivery_email <> NEW.delivery_email
        OR (OLD.is_active AND NOT NEW.is_active))
  EXECUTE FUNCTION heddle_end_desktop_logins();

-- Links that let people create an account. A link without `email` is reusable.
-- The link follows from the nonce and the server's secret; the hash finds the row.
CREATE TABLE invitations (
  organization_id integer       NOT NULL,
  id              bigint        GENERATED ALWAYS AS IDENTITY,
  inviter_id      integer       NOT NULL,
  email           text,
  role            smallint      NOT NULL,
  channel_ids     integer[]     NOT NULL,
  group_ids       integer[]     NOT NULL,
  with_defaults   boolean       NOT NULL,
  tells_inviter   boolean       NOT NULL,
  welcome_text    text,
  nonce           bytea         NOT NULL,
  key_hash        bytea         NOT NULL,
  created_at      timestamptz   NOT NULL DEFAULT now(),
  expires_at      timestamptz,
  mailed_at       timestamptz[] NOT NULL DEFAULT '{}',
  ended_at        timestamptz,
  ending          text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, inviter_id) REFERENCES users,
  CHECK ((ended_at IS NULL) = (ending IS NULL))
);
CREATE UNIQUE INDEX invitations_by_key ON invitations (key_hash);
-- For people who log in by single sign-on: the server looks for an invitation to their address.
CREATE INDEX invitations_by_email ON invitations (organization_id, lower(email))
  WHERE email IS NOT NULL AND ended_at IS NULL;

-- Links that confirm the address of a person who wants to create an account.
-- A request for an address that has an account adds a row as well, so that both requests take the same time. That link opens nothing.
CREATE TABLE address_confirmations (
  organization_id integer     NOT NULL REFERENCES organizations,
  id              bigint      GENERATED ALWAYS AS IDENTITY,
  address         text        NOT NULL,
  invitation_id   bigint,
  nonce           bytea       NOT NULL,
  key_hash        bytea       NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  ended_at        timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, invitation_id) REFERENCES invitations ON DELETE CASCADE
);
CREATE UNIQUE INDEX address_confirmations_by_key ON address_confirmations (key_hash);
CREATE INDEX address_confirmations_by_address ON address_confirmations (organization_id, lower(address), created_at);
CREATE INDEX address_confirmations_by_invitation ON address_confirmations (organization_id, invitation_id, created_at);
CREATE INDEX address_confirmations_by_age ON address_confirmations (created_at);
