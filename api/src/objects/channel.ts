import Type from 'typebox';
import { eachChannelSetting } from '../channel-settings.ts';
import { CHANNEL_PERMISSIONS } from '../permissions.ts';
import { groupSettingFields } from './group-setting.ts';

/** Maximum length of a name, in characters: `max_stream_name_length`. */
export const MAX_CHANNEL_NAME_LENGTH = 60;
/** Maximum length of a description, in characters: `max_stream_description_length`. */
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024;
/** With more new subscribers than this, the notification bot sends no direct messages: `max_bulk_new_subscription_messages`. */
export const MAX_BULK_NEW_SUBSCRIPTION_MESSAGES = 100;

const integerOrNull = Type.Union([Type.Integer(), Type.Null()]);

/** The fields that a channel and a subscription share (interface document, "Channel"). */
export const channelFields = {
  stream_id: Type.Integer(),
  name: Type.String(),
  is_archived: Type.Boolean(),
  description: Type.String(),
  rendered_description: Type.String(),
  date_created: Type.Integer(),
  creator_id: integerOrNull,
  invite_only: Type.Boolean(),
  is_web_public: Type.Boolean(),
  stream_post_policy: Type.Integer({ minimum: 1, maximum: 4 }),
  is_announcement_only: Type.Boolean(),
  history_public_to_subscribers: Type.Boolean(),
  ...eachChannelSetting('value'),
  first_message_id: integerOrNull,
  is_recently_active: Type.Boolean(),
  subscriber_count: Type.Integer(),
  stream_weekly_traffic: integerOrNull,
  ...groupSettingFields(CHANNEL_PERMISSIONS),
};

/** A channel in lists and events. */
export const channel = Type.Object(channelFields);

/** A channel in the response of `GET /streams`. `is_default` is present only on request. */
export const listedChannel = Type.Object({ ...channelFields, is_default: Type.Optional(Type.Boolean()) });
