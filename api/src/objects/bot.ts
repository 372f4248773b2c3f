import Type from 'typebox';

const channelName = Type.Union([Type.String(), Type.Null()]);

/** The fields that all objects about bots share. */
export const botChannels = {
  default_sending_stream: channelName,
  default_events_register_stream: channelName,
  default_all_public_streams: Type.Boolean(),
};

const serviceInterface = Type.Union([Type.Literal(1), Type.Literal(2)], {
  description: "1: the format of this API, 2: the format of Slack's outgoing webhooks",
});

/** The service of an outgoing webhook bot. The server sends it the messages to the bot. Other bots have no service. */
export const botServices = Type.Array(
  Type.Object({
    base_url: Type.String({ description: 'Empty if the owner did not set a URL yet' }),
    interface: serviceInterface,
    token: Type.String({ description: 'The service uses it to authenticate this server' }),
  }),
  { maxItems: 1 },
);

/** A bot, for its owner and for administrators. */
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
