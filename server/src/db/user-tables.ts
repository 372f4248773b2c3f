/** The tables of users and user groups: a part of `schema.ts`. */
import type { Generated, GeneratedAlways } from 'kysely';

export interface UsersTable {
  organization_id: number;
  id: Generated<number>;
  email: string;
  delivery_email: string;
  full_name: string;
  role: number;
  is_active: Generated<boolean>;
  is_bot: Generated<boolean>;
  bot_type: number | null;
  bot_owner_id: number | null;
  timezone: Generated<string>;
  /** By the names of the API; the server's default applies to a setting that is missing. */
  own_settings: Generated<Record<string, unknown>>;
  avatar_version: Generated<number>;
  /** A part of the address of the picture in `avatar_pictures`. */
  avatar_file: Generated<string | null>;
  /** `BotSettings` in `directory/records.ts`; only bots have them. */
  bot_settings: Generated<object | null>;
  password_hash: string | null;
  address_is_confirmed: Generated<boolean>;
  api_key_version: Generated<number>;
  /** Which of the server's own bots this is; null: none of them. */
  system_bot: Generated<string | null>;
  date_joined: Generated<Date>;
  /** Only the operator of the server grants this permission and the next one. */
  can_create_users: Generated<boolean>;
  can_change_user_emails: Generated<boolean>;
}

export interface UserGroupsTable {
  organization_id: number;
  id: Generated<number>;
  name: string;
  description: Generated<string>;
  is_system: Generated<boolean>;
  creator_id: number | null;
  created_at: Generated<Date>;
  deactivated_at: Date | null;
  permissions: Generated<Record<string, unknown>>;
}

export interface ProfileFieldsTable {
  organization_id: number;
  id: GeneratedAlways<number>;
  name: string;
  type: number;
  hint: string;
  /** JSON, or empty. */
  data: string;
  position: number;
  is_required: boolean;
  is_editable_by_user: boolean;
  is_in_summary: boolean;
  /** When the field was deleted. The row stays until all its values are removed. */
  deleted_at: Generated<Date | null>;
}

export interface ProfileValuesTable {
  organization_id: number;
  field_id: number;
  user_id: number;
  value: string;
  /** Only for the types of fields that have markup. */
  html: string | null;
}

export interface MutedUsersTable {
  organization_id: number;
  user_id: number;
  muted_user_id: number;
  muted_at: Generated<Date>;
}

export interface NavigationViewsTable {
  organization_id: number;
  user_id: number;
  id: Generated<number>;
  fragment: string;
  is_pinned: boolean;
  /** Null for built-in views. */
  name: string | null;
}

export interface UserStatusesTable {
  organization_id: number;
  user_id: number;
  status_text: string;
  /** Null: no emoji. */
  emoji_kind: string | null;
  emoji_code: string;
  emoji_name: string;
}

export interface PresencesTable {
  organization_id: number;
  user_id: number;
  /** Counts the organization's changes of presence that clients receive; 0: they receive nothing about this user. */
  update_id: number;
  connected_at: Date | null;
  active_at: Date | null;
  /** When the user last did something, to half a day. Clients do not receive it. */
  seen_at: Date | null;
}
