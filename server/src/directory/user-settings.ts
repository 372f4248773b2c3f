import type { userSettings } from '@heddle/api/objects/user-settings.ts';
import type { Static } from 'typebox';

/** A user's explicitly set settings as stored, by wire name. */
export type StoredSettings = Readonly<Record<string, unknown>>;

/**
 * The settings that the server reads on hot paths. All others are for clients or rare operations, and stay in the
 * database.
 */
const HELD = [
  'automatically_follow_topics_policy',
  'automatically_follow_topics_where_mentioned',
  'automatically_unmute_topics_in_muted_streams_policy', // wire name: the setting's
  'email_address_visibility',
  'enable_drafts_synchronization',
  'enable_stream_audible_notifications', // wire name: the setting's
  'enable_stream_desktop_notifications', // wire name: the setting's
  'enable_stream_email_notifications', // wire name: the setting's
  'enable_stream_push_notifications', // wire name: the setting's
  'presence_enabled',
  'receives_typing_notifications',
  'resolved_topic_notice_auto_read_policy',
  'send_private_typing_notifications',
  'send_read_receipts',
  'send_stream_typing_notifications', // wire name: the setting's
  'translate_emoticons',
  'wildcard_mentions_notify',
] as const satisfies readonly (keyof Static<typeof userSettings>)[];

export type HeldSetting = (typeof HELD)[number];
export type HeldSettings = Readonly<Partial<Pick<Static<typeof userSettings>, HeldSetting>>>;

export function isHeld(name: string): name is HeldSetting {
  return (HELD as readonly string[]).includes(name);
}

/** The part of the stored settings that the directory keeps; undefined if none is set, as for most users. */
export function heldSettings(stored: StoredSettings): HeldSettings | undefined {
  const held = HELD.filter((name) => stored[name] !== undefined).map((name) => [name, stored[name]]);
  return held.length === 0 ? undefined : Object.fromEntries(held);
}
