import Type from 'typebox';

const channelName = Type.Union([Type.String(), Type.Null()]);

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
  services: Type.Array(Type.Object({}), {
    maxItems: 0,
    description: 'Of kinds of bots that this server does not have',
  }),
});
