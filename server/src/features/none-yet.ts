/**
 * The initial state of things of which no organization has any yet. Clients read these fields without asking whether they are
 * there; a feature that brings a thing takes its field from here. Types: documentation of `POST /register`.
 */
import type { noneYetState } from '@heddle/api/state/none-yet.ts';
import { type StatePart, statePart } from './initial-state.ts';

type Field = keyof typeof noneYetState;

const fieldsByType: Readonly<
  Record<string, Partial<Record<Field, readonly never[] | Readonly<Record<string, never>>>>>
> = {
  alert_words: { alert_words: [] },
  channel_folders: { channel_folders: [] },
  custom_profile_fields: { custom_profile_fields: [], custom_profile_field_types: {} },
  drafts: { drafts: [] },
  muted_topics: { muted_topics: [] },
  muted_users: { muted_users: [] },
  navigation_views: { navigation_views: [] },
  onboarding_steps: { onboarding_steps: [] },
  realm_bot: { realm_bots: [] },
  realm_domains: { realm_domains: [] },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_emoji: { realm_emoji: {} },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  realm_linkifiers: { realm_linkifiers: [] },
  realm_playgrounds: { realm_playgrounds: [] },
  reminders: { reminders: [] },
  scheduled_messages: { scheduled_messages: [] },
  user_status: { user_status: {} },
  user_topic: { user_topics: [] },
};

export const stateOfNoneYet: readonly StatePart[] = [
  ...Object.entries(fieldsByType).map(([type, fields]) => statePart({ types: [type], build: () => fields })),
  statePart({
    types: ['presence'],
    build: () => ({ presences: {}, presence_last_update_id: -1, server_timestamp: Date.now() / 1000 }),
  }),
];
