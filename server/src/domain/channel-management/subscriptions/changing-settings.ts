import type { Parameters } from '@heddle/api/contract.ts';
import type { updateSubscriptionSettings } from '@heddle/api/endpoints/subscriptions.ts';
import { badRequest } from '@heddle/api/errors.ts';
import {
  SUBSCRIPTION_SETTING_NAMES,
  SUBSCRIPTION_SETTINGS,
  type SubscriptionSettingName,
  type SubscriptionSettings,
} from '@heddle/api/subscription-settings.ts';
import { sql } from 'kysely';
import { accessChannel } from '../../../access/channels.ts';
import { executePrepared } from '../../../db/prepared.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import { activeUser } from '../../../directory/active-user.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { GroupedKind, ItemResult } from '../../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../../directory/records.ts';
import type { NewEvent } from '../../../log/event.ts';
import type { SubscriptionEvent } from '../../channels/subscription-event.ts';
import { checkedColor } from './colors.ts';

type Setting = Parameters<typeof updateSubscriptionSettings>['subscription_data'][number];

/** A user's request to change personal settings of subscriptions. */
export interface SettingsChange {
  readonly callerId: number;
  readonly settings: readonly Setting[];
}

/** Larger requests get a transaction of their own, because each setting is one or two events. */
const MAX_SETTINGS_IN_BATCH = 100;

/** The columns that one request sets in one subscription. */
interface ChangedRow {
  readonly userId: number;
  readonly channelId: number;
  readonly columns: Partial<SubscriptionSettings>;
}

/**
 * Changes personal settings of subscriptions and sends events to their users. If a request names a setting twice, the
 * last value counts. All requests that arrive together share one statement. Rejects an item with `BAD_REQUEST` if the
 * user is not subscribed, or a property or value is invalid.
 */
export const settingsKind: GroupedKind<SettingsChange, undefined> = {
  name: 'subscription settings',
  isLarge: ({ settings }) => settings.length > MAX_SETTINGS_IN_BATCH,
  async write({ db, directory }, items) {
    const rows = new Map<string, ChangedRow>();
    const itemResults = items.map((item): ItemResult<undefined> => {
      try {
        const { changed, events } = compile(directory, item);
        for (const row of changed) {
          const key = `${row.userId}/${row.channelId}`;
          rows.set(key, { ...row, columns: { ...rows.get(key)?.columns, ...row.columns } });
        }
        return { result: undefined, events };
      } catch (error) {
        return { error };
      }
    });
    if (rows.size > 0) await writeRows(db, directory.organization.id, [...rows.values()]);
    return itemResults;
  },
};

/** @throws ApiError `BAD_REQUEST` */
function compile(directory: Directory, { callerId, settings }: SettingsChange) {
  const caller = activeUser(directory, callerId);
  const last = new Map<string, { readonly channel: ChannelRecord; readonly meaning: Meaning }>();
  for (const [index, setting] of settings.entries()) {
    const channel = accessChannel(directory, caller, setting.stream_id, 'own-subscription');
    const meaning = meaningOf(setting, `subscription_data[${index}]`);
    last.set(`${channel.id}/${Object.keys(meaning.columns)}`, { channel, meaning });
  }
  const changes = [...last.values()];
  return {
    changed: changes.map(({ channel, meaning }) => ({
      userId: caller.id,
      channelId: channel.id,
      columns: meaning.columns,
    })),
    events: changes.flatMap(({ channel, meaning }) =>
      meaning.announced.map(([property, value]) => settingEvent(caller, channel, property, value)),
    ),
  };
}

const NAMES = sql.raw(SUBSCRIPTION_SETTING_NAMES.join(', '));
const ASSIGNMENTS = sql.raw(
  SUBSCRIPTION_SETTING_NAMES.map((name) => `${name} = coalesce(new.${name}, s.${name})`).join(', '),
);

/** Locks rows in the order of the primary key, so that batches of two processes cannot deadlock. */
async function writeRows(db: DbTransaction, organizationId: number, rows: readonly ChangedRow[]): Promise<void> {
  const values = SUBSCRIPTION_SETTING_NAMES.map((name) => {
    const type = sql.raw(SUBSCRIPTION_SETTINGS[name].column);
    return sql`${rows.map(({ columns }) => columns[name] ?? null)}::${type}[]`;
  });
  await executePrepared(
    db,
    'change subscription settings',
    sql`
    WITH new AS MATERIALIZED (
      SELECT new.* FROM unnest(${rows.map(({ userId }) => userId)}::int[], ${rows.map(({ channelId }) => channelId)}::int[],
                               ${sql.join(values)}) AS new (user_id, channel_id, ${NAMES})
        JOIN subscriptions s
          ON s.organization_id = ${organizationId} AND s.user_id = new.user_id AND s.channel_id = new.channel_id
       ORDER BY s.user_id, s.channel_id
         FOR NO KEY UPDATE OF s
    )
    UPDATE subscriptions s SET ${ASSIGNMENTS}
      FROM new
     WHERE s.organization_id = ${organizationId} AND s.user_id = new.user_id AND s.channel_id = new.channel_id`,
  );
}

interface Meaning {
  readonly columns: Partial<SubscriptionSettings>;
  /** The properties as events name them. */
  readonly announced: readonly (readonly [property: string, value: boolean | string])[];
}

function meaningOf({ property, value }: Setting, place: string): Meaning {
  if (property === 'color') {
    const color = checkedColor(value, place);
    return { columns: { color }, announced: [['color', color]] };
  }
  // The old name of muting, with the opposite value.
  const isOlder = property === 'in_home_view';
  const column = isOlder ? 'is_muted' : property;
  if (!isSetting(column)) throw badRequest(`Unknown subscription property: ${property}`);
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

function isSetting(property: string): property is SubscriptionSettingName {
  return Object.hasOwn(SUBSCRIPTION_SETTINGS, property);
}

function settingEvent(
  caller: UserRecord,
  { id: channelId, isArchived }: ChannelRecord,
  property: string,
  value: boolean | string,
): NewEvent {
  const body: SubscriptionEvent = { op: 'update', channelId, isArchived, property, value };
  return { type: 'subscription', audience: { to: 'users', users: [caller.id] }, body };
}
