import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { botChannels, botServices } from '../objects/bot.ts';
import { role } from '../objects/user.ts';

const area = 'Users';
const botId = inPath(Type.Integer());
const fullName = text({ maxLength: 1000 });
const channel = optional(text({ maxLength: 1000 }), { description: 'The name of a channel, or empty for none' });
const configuration = optional(Type.Record(Type.String(), text(), { maxProperties: 50 }), {
  description: 'For bot types that Heddle does not support. It must be empty',
});
/** Longer strings are not URLs. */
const url = optional(text({ maxLength: 5000 }), {
  description: 'The URL (http or https) of the service of an outgoing webhook bot, plain or as a JSON string',
});
const picture = {
  takes: 'optional-file',
  description: 'The avatar of the bot in GIF, JPEG, PNG, WebP or AVIF',
} as const;

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
    short_name: required(text({ maxLength: 1000 }), {
      description: 'The address of the bot is <short_name>-bot@<host>',
    }),
    bot_type: defaulted(Type.Integer(), 1, {
      description:
        '1 generic, 2 incoming webhook (can only send messages), 3 outgoing webhook (its service receives the messages to the bot)',
    }),
    payload_url: url,
    service_name: optional(text({ maxLength: 100 }), {
      description:
        'The name of the service of an outgoing webhook bot. The default is the short name. For incoming webhook bots, the integration; Heddle has none',
    }),
    interface_type: defaulted(Type.Integer(), 1, {
      description: "The format for the service: 1 the format of this API, 2 the format of Slack's outgoing webhooks",
    }),
    config_data: configuration,
    default_sending_stream: channel,
    default_events_register_stream: channel,
    default_all_public_streams: defaulted(Type.Boolean(), false),
  },
  body: picture,
  secrets: 'always',
  response: Type.Object({ user_id: Type.Integer(), api_key: Type.String(), ...presented }),
  errors: ['BAD_IMAGE', 'PAYLOAD_TOO_LARGE'],
});

export const getBots = defineEndpoint({
  operationId: 'get-bots',
  method: 'GET',
  path: '/bots',
  area,
  summary: 'List the active bots of the caller',
  authentication: 'required',
  parameters: {},
  secrets: 'always',
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
  description: 'For the bot owner and administrators. The request succeeds or fails as a whole.',
  authentication: 'required',
  parameters: {
    bot_id: botId,
    full_name: optional(fullName),
    role: optional(role, { description: 'Only for administrators. A bot cannot be an owner' }),
    bot_owner_id: optional(Type.Integer(), {
      description:
        'The ID of the new owner. The bot gets a new API key and a new service token. The server deletes its event queues and scheduled messages. If ' +
        'a member changes the owner, the server also removes the URL of the service.',
    }),
    service_payload_url: url,
    service_interface: optional(Type.Integer(), {
      description: 'The format for the service of an outgoing webhook bot: 1 the format of this API, 2 that of Slack',
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
    service_interface: Type.Integer({ description: '1 if the bot has no service' }),
    service_payload_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Null if the bot has no service',
    }),
    config_data: Type.Null(),
    bot_owner: Type.Optional(Type.String({ description: 'The address of the owner' })),
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
  summary: 'Fetch the API key of a bot',
  authentication: 'required',
  parameters: { bot_id: botId },
  secrets: 'always',
  response: Type.Object({ api_key: Type.String() }),
  errors: [],
});

export const regenerateBotApiKey = defineEndpoint({
  operationId: 'regenerate-bot-api-key',
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  area,
  summary: 'Replace the API key of a bot. The server then refuses the old key',
  authentication: 'required',
  parameters: { bot_id: botId },
  secrets: 'always',
  response: Type.Object({ api_key: Type.String() }),
  errors: [],
});
