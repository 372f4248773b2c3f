import { has24HourClock } from '@heddle/api/languages.ts';
import { type RawBuilder, sql } from 'kysely';
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { NumberInSql } from '../../../db/parameters.ts';
import type { Db, DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { HeldSetting, StoredSettings } from '../../../directory/user-settings.ts';
import { FIRST_SETTINGS, type Settings } from './first-settings.ts';
/** When a topic is followed or unmuted automatically. The numbers are the API's. */
export const When = { participating: 1, sending: 2, beginning: 3, never: 4 } as const;
export type When = (typeof When)[keyof typeof When];

/** A user's settings about the visibility of topics. */
export interface TopicSettings {
  readonly follow: When;
  /** In muted channels of the user. */
  readonly unmute: When;
  /** If the user is mentioned. */
  readonly followMentions: boolean;
}

/** Reads the directory, without a query. Users who never changed a setting have no stored object. */
export function settingOf<Name extends HeldSetting>({ settings }: Pick<UserRecord, 'settings'>, name: Name) {
  const decided: Settings[Name] | undefined = settings?.[name];
  return decided ?? FIRST_SETTINGS[name];
}

const FIRST: TopicSettings = topicSettings({});

/** Reads the directory: every message needs its sender's settings. */
export function topicSettingsOf(user: UserRecord): TopicSettings {
  return user.settings === undefined ? FIRST : topicSettings(user);
}

function topicSettings(user: Pick<UserRecord, 'settings'>): TopicSettings {
  return {
    follow: settingOf(user, 'automatically_follow_topics_policy'),
    unmute: settingOf(user, 'automatically_unmute_topics_in_muted_streams_policy'),
    followMentions: settingOf(user, 'automatically_follow_topics_where_mentioned'),
  };
}

/** Whether `topicSettingsOf` depends on this setting. */
export function isTopicSetting(property: string): boolean {
  return property.startsWith('automatically_');
}

/** All settings: the stored ones, and the defaults for the others. */
export function completeSettings(stored: StoredSettings | undefined): Settings {
  // Stored values were checked when they were written.
  return { ...FIRST_SETTINGS, ...(stored as Partial<Settings> | undefined) };
}

/** The user's stored settings. Index: the primary key. */
export function selectSettings(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<StoredSettings> {
  return sql`SELECT own_settings FROM users WHERE organization_id = ${organizationId} AND id = ${userId}`;
}

/** The user's stored settings, as `selectSettings`. Undefined without such a user. */
export async function storedSettings(
  db: Db | DbTransaction,
  organizationId: number,
  userId: number,
): Promise<StoredSettings | undefined> {
  const { rows } = await sql<{ own_settings: StoredSettings }>`${selectSettings(organizationId, userId)}`.execute(db);
  return rows[0]?.own_settings;
}

/**
 * The stored settings of a new account.
 * @param preferred the language of the account if the organization has chosen none but English
 */
export function settingsOfNewAccounts(directory: Directory, preferred?: string): StoredSettings {
  const { userSettingsDefaults } = directory.organization;
  const first = FIRST_SETTINGS.default_language;
  const chosen = [organizationSetting(directory, 'default_language'), userSettingsDefaults?.default_language];
  const language = String(chosen.find((one) => one !== undefined && one !== first) ?? preferred ?? first);
  if (language === first) return { ...userSettingsDefaults };
  return { twenty_four_hour_time: has24HourClock(language), ...userSettingsDefaults, default_language: language };
}
