import Type from 'typebox';

const none = Type.Optional(Type.Array(Type.Object({}), { maxItems: 0 }));
const noneById = Type.Optional(Type.Record(Type.String(), Type.Object({}), { maxProperties: 0 }));

/** Things that no organization has any of, since there is no way yet to make one. Clients count on the fields. */
export const noneYetState = {
  alert_words: none,
  channel_folders: none,
  custom_profile_fields: none,
  custom_profile_field_types: Type.Optional(
    Type.Record(Type.String(), Type.Object({ id: Type.Integer(), name: Type.String() }), { maxProperties: 0 }),
  ),
  drafts: none,
  muted_topics: none,
  muted_users: none,
  navigation_views: none,
  onboarding_steps: none,
  presence_last_update_id: Type.Optional(Type.Integer({ description: '-1: nobody has ever been seen' })),
  presences: noneById,
  realm_bots: none,
  realm_domains: none,
  realm_embedded_bots: none,
  realm_emoji: noneById,
  realm_filters: none,
  realm_incoming_webhook_bots: none,
  realm_linkifiers: none,
  realm_playgrounds: none,
  reminders: none,
  scheduled_messages: none,
  server_timestamp: Type.Optional(Type.Number({ description: 'When presences was true; seconds since the epoch' })),
  user_status: noneById,
  user_topics: none,
};
