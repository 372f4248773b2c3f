import Type from 'typebox';

const channelName = Type.Union([Type.String(), Type.Null()]);

/** What the other ways of telling of a bot have in common. */
export const botChannels = {
  default_sending_stream: channelName,
  default_events_register_stream: channelName,
  default_all_public_streams: Type.Boolean(),
};

const serviceInterface = Type.Union([Type.Literal(1), Type.Literal(2)], {
  description: "1: the form of this API; 2: that of Slack's outgoing webhooks",
});

/** Whom the server tells what is said to an outgoing webhook bot: one service; other bots have none. */
export const botServices = Type.Array(
  Type.Object({
    base_url: Type.String({ description: 'Empty: nobody yet' }),
    interface: serviceInterface,
    token: Type.String({ description: 'By which the service knows that it is this server that asks' }),
  }),
  { maxItems: 1 },
);

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
  services: botServices,
});
