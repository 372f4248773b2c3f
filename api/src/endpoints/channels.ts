import Type from 'typebox';
import { list, MOST_USERS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { channel, listedChannel, topicsPolicy } from '../objects/channel.ts';
import { groupSettingParameter } from '../objects/group-setting.ts';
import { CHANNEL_PERMISSIONS, mapPermissions } from '../permissions.ts';

/** The settings of a channel that a request creates. */
export const newChannelParameters = {
  announce: defaulted(Type.Boolean(), false, {
    description: "Whether to announce the new channel in the organization's channel for that, if it has one",
  }),
  invite_only: defaulted(Type.Boolean(), false),
  is_web_public: defaulted(Type.Boolean(), false),
  is_default_stream: defaulted(Type.Boolean(), false),
  history_public_to_subscribers: optional(Type.Boolean()),
  message_retention_days: optional(Type.Union([Type.Integer(), text()]), {
    description: 'Days, or `realm_default`, or `unlimited`',
  }),
  topics_policy: optional(topicsPolicy),
  folder_id: optional(Type.Integer()),
  ...mapPermissions(CHANNEL_PERMISSIONS, () => optional(groupSettingParameter)),
};

export const createChannel = defineEndpoint({
  operationId: 'create-channel',
  method: 'POST',
  path: '/channels/create',
  area: 'Channels',
  summary: 'Create a channel and subscribe users to it',
  description:
    'Of more than some five hundred subscribers the first are subscribed with the creation, and the others in several commits after it. ' +
    'Where one of these is refused, because somebody has changed what it depends on meanwhile, that is the answer, and the channel is there.',
  authentication: 'required',
  parameters: {
    name: required(text()),
    description: defaulted(text(), ''),
    subscribers: required(list(Type.Integer(), MOST_USERS), { description: 'User ids' }),
    ...newChannelParameters,
  },
  response: Type.Object({ id: Type.Integer() }),
  errors: ['CHANNEL_ALREADY_EXISTS', 'UNAUTHORIZED_PRINCIPAL'],
});

export const getChannels = defineEndpoint({
  operationId: 'get-streams',
  method: 'GET',
  path: '/streams',
  area: 'Channels',
  summary: 'List the channels that the caller can access',
  authentication: 'required',
  parameters: {
    include_public: defaulted(Type.Boolean(), true),
    include_web_public: defaulted(Type.Boolean(), false),
    include_subscribed: defaulted(Type.Boolean(), true),
    exclude_archived: defaulted(Type.Boolean(), true),
    include_all: defaulted(Type.Boolean(), false, {
      description: 'All channels that the caller may know; for administrators all there are',
    }),
    include_default: defaulted(Type.Boolean(), false, { description: 'Adds `is_default` to each channel' }),
    include_owner_subscribed: defaulted(Type.Boolean(), false, {
      description: "For bots: the channels that the bot's owner is subscribed to",
    }),
    include_can_access_content: defaulted(Type.Boolean(), false),
    include_all_active: defaulted(Type.Boolean(), false, {
      deprecated: true,
      description: 'An older `include_all`, for administrators',
    }),
  },
  response: Type.Object({ streams: Type.Array(listedChannel) }),
  errors: [],
});

export const getChannel = defineEndpoint({
  operationId: 'get-stream-by-id',
  method: 'GET',
  path: '/streams/{stream_id}',
  area: 'Channels',
  summary: 'Fetch one channel',
  authentication: 'required',
  parameters: { stream_id: inPath(Type.Integer()) },
  response: Type.Object({ stream: channel }),
  errors: [],
});

export const getChannelId = defineEndpoint({
  operationId: 'get-stream-id',
  method: 'GET',
  path: '/get_stream_id',
  area: 'Channels',
  summary: 'Find the id of the channel of a name',
  authentication: 'required',
  parameters: { stream: required(text(), { description: 'The name, whichever case' }) },
  response: Type.Object({ stream_id: Type.Integer() }),
  errors: [],
});

export const getSubscribers = defineEndpoint({
  operationId: 'get-subscribers',
  method: 'GET',
  path: '/streams/{stream_id}/members',
  area: 'Channels',
  summary: 'List the ids of the users subscribed to a channel',
  authentication: 'required',
  parameters: { stream_id: inPath(Type.Integer()) },
  response: Type.Object({ subscribers: Type.Array(Type.Integer()) }),
  errors: [],
});
