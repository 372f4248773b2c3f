/** The settings of channels and of subscriptions that are read, changed and stated in one way: their names on the wire, and in records. */
import type { Channel, Subscription } from '../calls/types.ts';

/** The settings of a channel that change alone. */
export const CHANNEL_SETTINGS = {
  /** Null: the setting of the organization applies. -1: forever. */
  message_retention_days: 'retentionDays',
  topics_policy: 'topicsPolicy',
  /** Null: in no folder. */
  folder_id: 'folderId',
} as const satisfies Readonly<Partial<Record<keyof Channel, string>>>;

/** The own settings of a subscription. Null means that the general notification setting of the user applies. */
export const SUBSCRIPTION_SETTINGS = {
  /** For example `#76ce90`. */
  color: 'color',
  is_muted: 'isMuted',
  pin_to_top: 'isPinned',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const satisfies Readonly<Partial<Record<keyof Subscription, string>>>;

type Names = Readonly<Record<string, string>>;

/** The fields of the wire that a table names, with the names of records. */
export type RecordFields<Table extends Names, Wire> = {
  readonly [Name in keyof Table & keyof Wire as Table[Name]]: Wire[Name];
};

/** Reads the fields of the wire that a table names. */
export function fromWire<Table extends Names, Wire extends { readonly [Name in keyof Table]: unknown }>(
  table: Table,
  wire: Wire,
): RecordFields<Table, Wire> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(table)) fields[table[name] ?? name] = wire[name];
  return fields as RecordFields<Table, Wire>;
}

/** The opposite of `fromWire`. */
export function toWire<Table extends Names, Values extends { readonly [Field in Table[keyof Table]]: unknown }>(
  table: Table,
  record: Values,
): { [Name in keyof Table]: Values[Table[Name]] } {
  const fields: Partial<Record<keyof Table, unknown>> = {};
  for (const name of Object.keys(table) as (keyof Table)[]) fields[name] = record[table[name]];
  return fields as { [Name in keyof Table]: Values[Table[Name]] };
}

/** The record after an event with a property of the wire. The same object if the table does not name the property. */
export function changedByProperty<Values>(table: Names, record: Values, property: string, value: unknown): Values {
  const field = Object.hasOwn(table, property) ? table[property] : undefined;
  return field === undefined ? record : { ...record, [field]: value };
}
