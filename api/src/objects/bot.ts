import Type from 'typebox';

const channelName = Type.Union([Type.String(), Type.Null()]);

/** Whom an outgoing webhook bot asks. Clients show it in forms. */
export const outgoingService = Type.Object({
  base_url: Type.String({ description: 'Where messages are posted to' }),
  interface: Type.Integer({ description: '1: our own form of messages' }),
  token: Type.String({ description: 'Comes with each message, so that whoever gets it knows that it is from here' }),
});

/** What the other ways of telling of a bot have in common. */
export const botChannels = {
  default_sending_stream: channelName,
  default_events_register_stream: channelName,
  default_all_public_streams: Type.Boolean(),
};

/** A bot as whoever administers it is told of it. */
export const bot = Type.Object({
  user_id: Type.Integer(),
  email: Type.String(),
  full_name: Type.String(),
  bot_type: Type.Union([Type.Integer(), Type.Null()]),
  is_active: Type.Boolean(),
  api_key: Type.String(),
  avatar_url: Type.String(),
  owner_id: Type.Union([Type.Integer(), Type.Null()]),
  ...botChannels,
  services: Type.Array(outgoingService, { maxItems: 1, description: 'Of outgoing webhook bots' }),
});
