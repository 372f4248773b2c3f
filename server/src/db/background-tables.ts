/** The tables of work in the background, and of notifications: a part of `schema.ts`. */
import type { Generated } from 'kysely';

export interface JobsTable {
  id: Generated<number>;
  /** Null: the job belongs to the server. */
  organization_id: number | null;
  kind: string;
  key: string | null;
  payload: unknown;
  attempts: Generated<number>;
  due_at: Generated<Date>;
  added_at: Generated<Date>;
  failed_at: Date | null;
  last_error: string | null;
}

/** Either an encrypted registration, or a plain token. */
export interface PushDevicesTable {
  organization_id: number;
  user_id: number;
  id: Generated<number>;
  /** `apns` or `fcm`. */
  kind: string;
  /** A number of 64 bits, read as text. */
  push_account_id: string | null;
  /** An X25519 public key of 32 bytes, or a byte that names a cryptosystem, followed by its key. */
  push_key: Buffer | null;
  /** The push service's id of the device. */
  service_device_id: number | null;
  token: string | null;
  /** The kind and a hash of the token. */
  token_key: string | null;
  ios_app_id: string | null;
  /** `pending`, `active`, `failed` or `leaving`. */
  state: string;
  error_code: string | null;
  /** The encrypted registration that the server must send to the push service; null after it was sent. */
  registration: unknown;
  registered_at: Generated<Date>;
  attempts: Generated<number>;
  /** When to call the push service about the device; null: there is no need. */
  due_at: Date | null;
}

export interface PushNotificationsTable {
  organization_id: number;
  user_id: number;
  message_id: number;
  /** Why the user is notified. */
  cause: string;
  /** The user group that the message mentions. */
  group_id: number | null;
  /** `due`, `shown` or `leaving`. */
  state: string;
  attempts: Generated<number>;
  /** When to send the notification, its removal, or (`shown`) its new text; null: devices show it. */
  due_at: Date | null;
  added_at: Generated<Date>;
}

/** A browser that receives Web Push. It ends with its session. */
export interface WebPushSubscriptionsTable {
  organization_id: number;
  user_id: number;
  id: Generated<number>;
  /** `sessions.token_hash`. */
  session_hash: Buffer;
  /** Where the browser's push service takes notifications. Whoever knows it can send some. */
  endpoint: string;
  /** The host of the endpoint, with the port. */
  host: string;
  /** A point of P-256. */
  public_key: Buffer;
  auth_secret: Buffer;
  /** Whether notifications contain the text of messages. */
  shows_text: boolean;
  registered_at: Generated<Date>;
  /** When the push service accepted the last notification. */
  notified_at: Date | null;
  /** Pushes that showed nothing, since the last use of the session. */
  silent_pushes: Generated<number>;
  /** When the last one was accepted. */
  silent_at: Date | null;
}

/** A notification in a browser. */
export interface WebPushNotificationsTable extends PushNotificationsTable {
  subscription_id: number;
  /** The key of the message's conversation. */
  conversation: string;
  host: string;
  /** Whether the message changed while the notification was being sent. */
  is_changed: Generated<boolean>;
}

export interface OutgoingRequestsTable {
  organization_id: number;
  bot_id: number;
  message_id: number;
  /** Why the bot's service receives the message, in the word of the API: `mention` or `direct_message`. */
  trigger: string;
  attempts: Generated<number>;
  due_at: Generated<Date>;
}
