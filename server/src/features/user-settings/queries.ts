import type { UserRecord } from '../../directory/records.ts';
import { OTHERS } from './state.ts';

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

const DEFAULTS: TopicSettings = {
  follow: OTHERS.automatically_follow_topics_policy as When,
  unmute: OTHERS.automatically_unmute_topics_in_muted_streams_policy as When,
  followMentions: OTHERS.automatically_follow_topics_where_mentioned,
};

/** Whether the server keeps the user's drafts. Everybody's setting is the default yet. */
export function synchronizesDrafts(_: UserRecord): boolean {
  return OTHERS.enable_drafts_synchronization;
}

/** From memory: every message asks for its sender's. Everybody's are the defaults yet. */
export function topicSettingsOf(_: UserRecord): TopicSettings {
  return DEFAULTS;
}
