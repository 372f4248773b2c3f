import type { Parameters } from '@heddle/api/contract.ts';
import type { updateSubscriptionSettings } from '@heddle/api/endpoints/subscriptions.ts';
import { badRequest } from '@heddle/api/errors.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';
import type { SubscriptionEvent } from './present.ts';
import type { SettingsRow } from './settings.ts';

type Setting = Parameters<typeof updateSubscriptionSettings>['subscription_data'][number];

/** The columns that a boolean property sets. */
const BOOLEANS = {
  is_muted: 'is_muted',
  pin_to_top: 'pin_to_top',
  desktop_notifications: 'desktop_notifications',
  audible_notifications: 'audible_notifications',
  push_notifications: 'push_notifications',
  email_notifications: 'email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const satisfies Record<string, keyof SettingsRow>;

/**
 * Changes the caller's settings of subscriptions, in the order given, and tells the caller's clients.
 * @throws ApiError `BAD_REQUEST`: not subscribed, no such property, or a value that it cannot have
 */
export async function changeSettings(change: Change, caller: UserRecord, settings: readonly Setting[]): Promise<void> {
  for (const setting of settings) await changeSetting(change, caller, setting);
}

async function changeSetting(change: Change, caller: UserRecord, setting: Setting): Promise<void> {
  const { db, directory } = change;
  const channel = directory.channel(setting.stream_id);
  if (channel === undefined || !directory.subscriptions.has(channel.id, caller.id)) {
    throw badRequest(`Not subscribed to channel id ${setting.stream_id}`);
  }
  const { columns, announced } = meaningOf(setting);
  await db
    .updateTable('subscriptions')
    .set(columns)
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', caller.id)
    .where('channel_id', '=', channel.id)
    .execute();
  for (const [property, value] of announced) announce(change, caller, channel, property, value);
}

interface Meaning {
  readonly columns: Partial<SettingsRow>;
  /** Properties as clients hear of them. */
  readonly announced: readonly (readonly [property: string, value: boolean | string])[];
}

function meaningOf({ property, value }: Setting): Meaning {
  if (property === 'color') {
    const color = checkedColor(value);
    return { columns: { color }, announced: [['color', color]] };
  }
  // The older name of muting, the other way round.
  const isOlder = property === 'in_home_view';
  const column = isOlder ? 'is_muted' : BOOLEANS[property as keyof typeof BOOLEANS];
  if (!isOlder && !Object.hasOwn(BOOLEANS, property)) throw badRequest(`Unknown subscription property: ${property}`);
  if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`);
  const stored = isOlder ? !value : value;
  const columns = { [column]: stored };
  if (column !== 'is_muted') return { columns, announced: [[column, stored]] };
  return {
    columns,
    announced: [
      ['in_home_view', !stored],
      ['is_muted', stored],
    ],
  };
}

/** `#rrggbb` in lower case, as clients expect to read it. */
function checkedColor(value: boolean | string): string {
  const digits = typeof value === 'string' ? /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value)?.[1] : undefined;
  if (digits === undefined) throw badRequest('color is not a valid hex color code');
  const long = digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
  return `#${long.toLowerCase()}`;
}

function announce(
  { append }: Change,
  caller: UserRecord,
  { id: channelId, isArchived }: ChannelRecord,
  property: string,
  value: boolean | string,
): void {
  const body: SubscriptionEvent = { op: 'update', channelId, isArchived, property, value };
  append({ type: 'subscription', audience: { to: 'users', users: [caller.id] }, body });
}
