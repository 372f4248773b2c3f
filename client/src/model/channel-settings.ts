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

/** An object of the wire, as far as a table names its fields. */
export type WireFields<Table extends Names, Wire> = { readonly [Name in keyof Table & keyof Wire]: Wire[Name] };

/** The same with the names of records. */
export type RecordFields<Table extends Names, Wire> = {
  readonly [Name in keyof Table & keyof Wire as Table[Name]]: Wire[Name];
};

/** Reads the fields of the wire that a table names. */
export function fromWire<Table extends Names, Wire>(
  table: Table,
  wire: WireFields<Table, Wire>,
): RecordFields<Table, Wire> {
  const values: Readonly<Record<string, unknown>> = wire;
  const entries = Object.entries(table).map(([name, field]) => [field, values[name]]);
  return Object.fromEntries(entries) as RecordFields<Table, Wire>;
}

/** The opposite of `fromWire`. */
export function toWire<Table extends Names, Wire>(
  table: Table,
  record: RecordFields<Table, Wire>,
): WireFields<Table, Wire> {
  const values = record as Readonly<Record<string, unknown>>;
  const entries = Object.entries(table).map(([name, field]) => [name, values[field]]);
  return Object.fromEntries(entries) as WireFields<Table, Wire>;
}

/** The field that an event changes. Undefined if the table does not name its property. */
export function changedField<Table extends Names, Wire>(
  table: Table,
  property: string,
  value: unknown,
): Partial<RecordFields<Table, Wire>> | undefined {
  const field = Object.hasOwn(table, property) ? table[property] : undefined;
  return field === undefined ? undefined : ({ [field]: value } as Partial<RecordFields<Table, Wire>>);
}
