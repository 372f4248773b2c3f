import Type from 'typebox';
import { list, MOST_USERS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { channel, listedChannel, topicsPolicy } from '../objects/channel.ts';
import { groupSettingParameter, groupSettingUpdate } from '../objects/group-setting.ts';
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
  errors: ['CHANNEL_ALREADY_EXISTS', 'REQUEST_VARIABLE_INVALID', 'UNAUTHORIZED_PRINCIPAL'],
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

export const updateChannel = defineEndpoint({
  operationId: 'update-stream',
  method: 'PATCH',
  path: '/streams/{stream_id}',
  area: 'Channels',
  summary: 'Change the settings of a channel',
  description:
    'For who may administer the channel; who sees it, and who may join or add others, change only those who can read it. All that is given is ' +
    'changed, or nothing.',
  authentication: 'required',
  parameters: {
    stream_id: inPath(Type.Integer()),
    new_name: optional(text()),
    description: optional(text()),
    is_private: optional(Type.Boolean(), {
      description:
        'Private channels have protected history and public ones shared, where `history_public_to_subscribers` does not say',
    }),
    is_web_public: optional(Type.Boolean()),
    history_public_to_subscribers: optional(Type.Boolean()),
    is_default_stream: optional(Type.Boolean(), { description: 'For administrators of the organization' }),
    message_retention_days: optional(Type.Union([Type.Integer(), text()]), {
      description:
        'Days, or `realm_default`, or `unlimited`; for owners of the organization. Messages are not deleted by their age yet, so days are refused.',
    }),
    is_archived: optional(Type.Boolean(), {
      description: '`false` opens an archived channel again, `true` archives it',
    }),
    topics_policy: optional(topicsPolicy, {
      description: '`empty_topic_only` only where all messages of the channel are in the empty topic',
    }),
    folder_id: optional(Type.Union([Type.Integer(), Type.Null()]), {
      description: 'Null takes the channel out of its folder',
    }),
    ...mapPermissions(CHANNEL_PERMISSIONS, () => optional(groupSettingUpdate)),
  },
  response: Type.Object({}),
  errors: [
    'CANNOT_ADMINISTER_CHANNEL',
    'CHANNEL_ALREADY_EXISTS',
    'EXPECTATION_MISMATCH',
    'REQUEST_VARIABLE_INVALID',
    'SYSTEM_GROUP_REQUIRED',
    'TOPIC_NOT_ALLOWED',
    'UNAUTHORIZED_PRINCIPAL',
  ],
});

export const archiveChannel = defineEndpoint({
  operationId: 'archive-stream',
  method: 'DELETE',
  path: '/streams/{stream_id}',
  area: 'Channels',
  summary: 'Archive a channel',
  authentication: 'required',
  parameters: { stream_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: ['CANNOT_ADMINISTER_CHANNEL'],
});

export const getChannelEmailAddress = defineEndpoint({
  operationId: 'get-stream-email-address',
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  area: 'Channels',
  summary: 'Tell at which address mail is posted to a channel',
  description: 'The address is empty: this server receives no mail.',
  authentication: 'required',
  parameters: {
    stream_id: inPath(Type.Integer()),
    sender_id: optional(Type.Integer(), {
      description: 'Who is to send what comes by mail: the caller, a bot of theirs, or the email gateway',
    }),
  },
  response: Type.Object({ email: Type.String() }),
  errors: [],
});

export const addDefaultChannel = defineEndpoint({
  operationId: 'add-default-stream',
  method: 'POST',
  path: '/default_streams',
  area: 'Channels',
  summary: 'Make a channel one that new users are subscribed to',
  description: 'For administrators of the organization.',
  authentication: 'required',
  parameters: { stream_id: required(Type.Integer()) },
  response: Type.Object({}),
  errors: [],
});

export const removeDefaultChannel = defineEndpoint({
  operationId: 'remove-default-stream',
  method: 'DELETE',
  path: '/default_streams',
  area: 'Channels',
  summary: 'Subscribe new users to a channel no more',
  description: 'For administrators of the organization.',
  authentication: 'required',
  parameters: { stream_id: required(Type.Integer()) },
  response: Type.Object({}),
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
