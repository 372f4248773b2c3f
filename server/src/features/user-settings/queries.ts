import { type RawBuilder, sql } from 'kysely';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { NumberInSql } from '../../db/parameters.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { HeldSetting, StoredSettings } from '../../directory/user-settings.ts';
import { FIRST_SETTINGS, type Settings } from './first-settings.ts';

export type { Settings } from './first-settings.ts';

/** When a topic is followed or unmuted by itself; the numbers are the wire's. */
export const When = { participating: 1, sending: 2, beginning: 3, never: 4 } as const;
export type When = (typeof When)[keyof typeof When];

/** What a user's settings say of the visibility of topics. */
export interface TopicSettings {
  readonly follow: When;
  /** In channels that the user has muted. */
  readonly unmute: When;
  /** Where the user is mentioned. */
  readonly followMentions: boolean;
}

/** From memory, as a request that is under way must ask it; of users whose settings are nobody's choice it is one look. */
export function settingOf<Name extends HeldSetting>({ settings }: Pick<UserRecord, 'settings'>, name: Name) {
  const decided: Settings[Name] | undefined = settings?.[name];
  return decided ?? FIRST_SETTINGS[name];
}

const FIRST: TopicSettings = topicSettings({});

/** From memory: every message asks for its sender's. */
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

/** Whether a change of this setting changes what `topicSettingsOf` says. */
export function isTopicSetting(property: string): boolean {
  return property.startsWith('automatically_');
}

/** All of them, with what was decided. */
export function completeSettings(stored: StoredSettings | undefined): Settings {
  // What is stored was checked when it was written.
  return { ...FIRST_SETTINGS, ...(stored as Partial<Settings> | undefined) };
}

/** What is stored of the user's. Index: the primary key. */
export function selectSettings(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<StoredSettings> {
  return sql`SELECT own_settings FROM users WHERE organization_id = ${organizationId} AND id = ${userId}`;
}

/** What a new account of the organization begins with, as it is stored. */
export function settingsOfNewAccounts(directory: Directory): StoredSettings {
  const { userSettingsDefaults } = directory.organization;
  const language = organizationSetting(directory, 'default_language');
  return {
    ...userSettingsDefaults,
    ...(language !== FIRST_SETTINGS.default_language && { default_language: language }),
  };
}
