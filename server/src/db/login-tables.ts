/** The tables of joining and of logging in: a part of `schema.ts`. */
import type { Generated, GeneratedAlways } from 'kysely';

/** Sessions of browsers, by the SHA-256 of their token. */
export interface SessionsTable {
  organization_id: number;
  token_hash: Buffer;
  user_id: number;
  created_at: Generated<Date>;
  /** An hour late at most. */
  used_at: Generated<Date>;
}

/** Links about somebody's own account, sent by mail (`features/link-keys.ts`). */
export interface AccountLinksTable {
  organization_id: number;
  id: GeneratedAlways<number>;
  purpose: string;
  /** null: nobody has the address. */
  user_id: number | null;
  /** To which the link is sent. */
  address: string;
  nonce: Buffer;
  key_hash: Buffer;
  created_at: Generated<Date>;
  ended_at: Date | null;
}

/** Links to addresses with which people want to join, sent by mail. */
export interface AddressConfirmationsTable {
  organization_id: number;
  id: GeneratedAlways<number>;
  address: string;
  /** The reusable link that they have; null: none. */
  invitation_id: number | null;
  nonce: Buffer;
  key_hash: Buffer;
  created_at: Generated<Date>;
  ended_at: Date | null;
}

/** Logins for desktop apps that have not begun their session yet, by the SHA-256 of their token. */
export interface DesktopLoginsTable {
  organization_id: number;
  token_hash: Buffer;
  user_id: number;
  created_at: Generated<Date>;
}

/** Of the mails about logins that were caused: when. */
export interface LoginNoticesTable {
  organization_id: number;
  user_id: number;
  id: GeneratedAlways<number>;
  noticed_at: Generated<Date>;
}
