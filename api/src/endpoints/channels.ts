import Type from 'typebox';
import { list, MAX_USERS_PER_REQUEST, text } from '../bounds.ts';
import { eachChannelSetting } from '../channel-settings.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { channel, listedChannel } from '../objects/channel.ts';
import { groupSettingParameter, groupSettingUpdate } from '../objects/group-setting.ts';
import { CHANNEL_PERMISSIONS, mapPermissions } from '../permissions.ts';

/** The settings of a new channel. */
export const newChannelParameters = {
  announce: defaulted(Type.Boolean(), false, {
    description: 'Whether to announce the new channel in the announcement channel of the organization, if it has one',
  }),
  invite_only: defaulted(Type.Boolean(), false),
  is_web_public: defaulted(Type.Boolean(), false),
  is_default_stream: defaulted(Type.Boolean(), false),
  history_public_to_subscribers: optional(Type.Boolean()),
  ...eachChannelSetting('newParameter'),
  ...mapPermissions(CHANNEL_PERMISSIONS, () => optional(groupSettingParameter)),
};

export const createChannel = defineEndpoint({
  operationId: 'create-channel',
  method: 'POST',
  path: '/channels/create',
  area: 'Channels',
  summary: 'Create a channel and subscribe users to it',
  description:
    'The first 500 or so subscribers are subscribed in the commit that creates the channel, and the others in later commits. If a later ' +
    'commit fails because of a concurrent change, the response is that error, and the channel exists.',
  authentication: 'required',
  parameters: {
    name: required(text()),
    description: defaulted(text(), ''),
    subscribers: required(list(Type.Integer(), MAX_USERS_PER_REQUEST), { description: 'User IDs' }),
    ...newChannelParameters,
    send_new_subscription_messages: optional(Type.Boolean(), {
      description:
        'When subscribing users to a channel, it decides about direct messages to them. It has no effect on a new channel: the first message ' +
        'of the channel says who created it.',
    }),
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
      description: 'All channels with metadata access. For administrators, all channels',
    }),
    include_default: defaulted(Type.Boolean(), false, { description: 'Adds `is_default` to each channel' }),
    include_owner_subscribed: defaulted(Type.Boolean(), false, {
      description: 'For bots: the channels to which the owner is subscribed',
    }),
    include_can_access_content: defaulted(Type.Boolean(), false),
    include_all_active: defaulted(Type.Boolean(), false, {
      deprecated: true,
      description: 'The older form of `include_all`, for administrators',
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
    'For channel administrators. Changes of the privacy, and of who can join or add others, also require content access. The request ' +
    'succeeds or fails as a whole.',
  authentication: 'required',
  parameters: {
    stream_id: inPath(Type.Integer()),
    new_name: optional(text()),
    description: optional(text()),
    is_private: optional(Type.Boolean(), {
      description:
        'Without `history_public_to_subscribers`, private channels get protected history and public channels shared history',
    }),
    is_web_public: optional(Type.Boolean()),
    history_public_to_subscribers: optional(Type.Boolean()),
    is_default_stream: optional(Type.Boolean(), { description: 'Only for administrators of the organization' }),
    is_archived: optional(Type.Boolean(), {
      description: '`true` archives the channel, `false` unarchives it',
    }),
    ...eachChannelSetting('parameter'),
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
  summary: 'Get the email address of a channel',
  description:
    'A mail to the address becomes a message in the channel. The address is empty if the server has no mail gateway.',
  authentication: 'required',
  parameters: {
    stream_id: inPath(Type.Integer()),
    sender_id: optional(Type.Integer(), {
      description: 'The ID of the sender of messages from mails: the caller, a bot of the caller, or the email gateway',
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
  summary: 'Add a default channel for new users',
  description: 'Only for administrators of the organization.',
  authentication: 'required',
  parameters: { stream_id: required(Type.Integer()) },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const removeDefaultChannel = defineEndpoint({
  operationId: 'remove-default-stream',
  method: 'DELETE',
  path: '/default_streams',
  area: 'Channels',
  summary: 'Remove a default channel for new users',
  description: 'Only for administrators of the organization.',
  authentication: 'required',
  parameters: { stream_id: required(Type.Integer()) },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const getChannelId = defineEndpoint({
  operationId: 'get-stream-id',
  method: 'GET',
  path: '/get_stream_id',
  area: 'Channels',
  summary: 'Get the ID of a channel by its name',
  authentication: 'required',
  parameters: { stream: required(text(), { description: 'The name, regardless of case' }) },
  response: Type.Object({ stream_id: Type.Integer() }),
  errors: [],
});

export const getSubscribers = defineEndpoint({
  operationId: 'get-subscribers',
  method: 'GET',
  path: '/streams/{stream_id}/members',
  area: 'Channels',
  summary: 'List the IDs of the subscribers of a channel',
  authentication: 'required',
  parameters: { stream_id: inPath(Type.Integer()) },
  response: Type.Object({ subscribers: Type.Array(Type.Integer()) }),
  errors: [],
});
