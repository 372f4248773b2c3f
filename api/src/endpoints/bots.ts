import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { botChannels, botServices } from '../objects/bot.ts';
import { role } from '../objects/user.ts';

const area = 'Users';
const botId = inPath(Type.Integer());
const fullName = text({ maxLength: 1000 });
const channel = optional(text({ maxLength: 1000 }), { description: "A channel's name; empty: none" });
const configuration = optional(Type.Record(Type.String(), text(), { maxProperties: 50 }), {
  description: 'For kinds of bots that this server does not run; refused if there is anything in it',
});
/** Longer ones are no addresses. */
const url = optional(text({ maxLength: 5000 }), {
  description: "An outgoing webhook bot's service, http or https, bare or as a JSON string",
});
const picture = { takes: 'optional-file', description: "The bot's picture, in GIF, JPEG, PNG, WebP or AVIF" } as const;

const presented = {
  avatar_url: Type.String(),
  ...botChannels,
};

export const createBot = defineEndpoint({
  operationId: 'create-bot',
  method: 'POST',
  path: '/bots',
  area,
  summary: 'Create a bot',
  authentication: 'required',
  parameters: {
    full_name: required(fullName),
    short_name: required(text({ maxLength: 1000 }), { description: 'Its address is <short_name>-bot@<host>' }),
    bot_type: defaulted(Type.Integer(), 1, {
      description:
        '1 generic, 2 incoming webhook (which only sends messages), 3 outgoing webhook (whose service is told what is said to it)',
    }),
    payload_url: url,
    service_name: optional(text({ maxLength: 100 }), {
      description:
        'What the service of an outgoing webhook is called; else its short name. The integration of an incoming webhook, of which this server has none',
    }),
    interface_type: defaulted(Type.Integer(), 1, {
      description: "What the service understands: 1 the form of this API, 2 that of Slack's outgoing webhooks",
    }),
    config_data: configuration,
    default_sending_stream: channel,
    default_events_register_stream: channel,
    default_all_public_streams: defaulted(Type.Boolean(), false),
  },
  body: picture,
  response: Type.Object({ user_id: Type.Integer(), api_key: Type.String(), ...presented }),
  errors: ['BAD_IMAGE', 'PAYLOAD_TOO_LARGE'],
});

export const getBots = defineEndpoint({
  operationId: 'get-bots',
  method: 'GET',
  path: '/bots',
  area,
  summary: "List the caller's active bots",
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    bots: Type.Array(
      Type.Object({
        username: Type.String(),
        full_name: Type.String(),
        api_key: Type.String(),
        ...presented,
        services: botServices,
      }),
    ),
  }),
  errors: [],
});

export const updateBot = defineEndpoint({
  operationId: 'update-bot',
  method: 'PATCH',
  path: '/bots/{bot_id}',
  area,
  summary: 'Change a bot',
  description: 'For its owner and for administrators. All of it happens or nothing.',
  authentication: 'required',
  parameters: {
    bot_id: botId,
    full_name: optional(fullName),
    role: optional(role, { description: 'For administrators; no bot can be an owner' }),
    bot_owner_id: optional(Type.Integer()),
    service_payload_url: url,
    service_interface: optional(Type.Integer(), {
      description: "What the service of an outgoing webhook bot understands: 1 the form of this API, 2 that of Slack's",
    }),
    config_data: configuration,
    default_sending_stream: channel,
    default_events_register_stream: channel,
    default_all_public_streams: optional(Type.Boolean()),
  },
  body: picture,
  response: Type.Object({
    full_name: Type.String(),
    ...presented,
    service_interface: Type.Integer({ description: '1 also where the bot has no service' }),
    service_payload_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Null where the bot has no service',
    }),
    config_data: Type.Null(),
    bot_owner: Type.Optional(Type.String({ description: "The owner's address" })),
  }),
  errors: ['BAD_IMAGE', 'PAYLOAD_TOO_LARGE', 'UNAUTHORIZED_PRINCIPAL'],
});

export const deactivateBot = defineEndpoint({
  operationId: 'deactivate-bot',
  method: 'DELETE',
  path: '/bots/{bot_id}',
  area,
  summary: 'Deactivate a bot',
  authentication: 'required',
  parameters: { bot_id: botId },
  response: Type.Object({}),
  errors: [],
});

export const getBotApiKey = defineEndpoint({
  operationId: 'get-bot-api-key',
  method: 'GET',
  path: '/bots/{bot_id}/api_key',
  area,
  summary: "Fetch a bot's API key",
  authentication: 'required',
  parameters: { bot_id: botId },
  response: Type.Object({ api_key: Type.String() }),
  errors: [],
});

export const regenerateBotApiKey = defineEndpoint({
  operationId: 'regenerate-bot-api-key',
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  area,
  summary: 'Give a bot another API key; the old one opens nothing any more',
  authentication: 'required',
  parameters: { bot_id: botId },
  response: Type.Object({ api_key: Type.String() }),
  errors: [],
});
