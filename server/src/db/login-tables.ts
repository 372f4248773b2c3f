/** The tables of logins, invitations and links by mail: a part of `schema.ts`. */
import type { Generated, GeneratedAlways } from 'kysely';

/** Sessions of browsers, by the SHA-256 of their token. */
export interface SessionsTable {
  organization_id: number;
  token_hash: Buffer;
  user_id: number;
  created_at: Generated<Date>;
  /** At most an hour late. */
  used_at: Generated<Date>;
  /** What it was used with then, and where. Null: unknown. */
  browser: string | null;
  system: string | null;
  /** Whether the user has removed it from the browsers that are notified. */
  web_push_removed: Generated<boolean>;
  network: string | null;
}

/** Links about an account, which the server mails to its user (`domain/texts/shared/link-keys.ts`). */
export interface AccountLinksTable {
  organization_id: number;
  id: GeneratedAlways<number>;
  purpose: string;
  /** Null: no account has the address. */
  user_id: number | null;
  /** The address that the link is sent to. */
  address: string;
  nonce: Buffer;
  key_hash: Buffer;
  created_at: Generated<Date>;
  ended_at: Date | null;
}

/** Links that confirm the addresses of people who want to create an account. */
export interface AddressConfirmationsTable {
  organization_id: number;
  id: GeneratedAlways<number>;
  address: string;
  /** The reusable invitation that the person has; null: none. */
  invitation_id: number | null;
  nonce: Buffer;
  key_hash: Buffer;
  created_at: Generated<Date>;
  ended_at: Date | null;
}

/** Logins for desktop apps that have not started their session yet, by the SHA-256 of their token. */
export interface DesktopLoginsTable {
  organization_id: number;
  token_hash: Buffer;
  user_id: number;
  created_at: Generated<Date>;
}

/** When the server mailed a user about a login. */
export interface LoginNoticesTable {
  organization_id: number;
  user_id: number;
  id: GeneratedAlways<number>;
  noticed_at: Generated<Date>;
}

export interface InvitationsTable {
  organization_id: number;
  id: GeneratedAlways<number>;
  inviter_id: number;
  /** Null: a reusable link. */
  email: string | null;
  role: number;
  channel_ids: number[];
  group_ids: number[];
  with_defaults: boolean;
  tells_inviter: boolean;
  /** Null: the organization's own text; empty: none. */
  welcome_text: string | null;
  nonce: Buffer;
  key_hash: Buffer;
  created_at: Generated<Date>;
  /** Null: never. */
  expires_at: Date | null;
  /** When the server queued a mail with this invitation. */
  mailed_at: Generated<Date[]>;
  ended_at: Date | null;
  ending: 'used' | 'revoked' | null;
}

/** Attempts that count for limits, of all processes together. */
export interface AttemptWindowsTable {
  /** The SHA-256 of the limit and of the account or network. */
  key: Buffer;
  count: number;
  ends_at: Date;
}
