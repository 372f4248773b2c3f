/** The parameters of `PATCH /realm` as stored values, checked (public reference: `PATCH /realm`). */
import { badRequest, badValue } from '@heddle/api/errors.ts';
import { accessChannel } from '../../../access/channels.ts';
import { type PlainSettingName, wireNameOf } from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { isLanguage } from '../../texts/shared/languages.ts';
import { GIF_RATINGS, videoChatProviders } from './choices.ts';

/** The value of a parameter that is not a permission. */
export type GivenValue = string | number | boolean | null;

interface Context {
  readonly directory: Directory;
  readonly caller: UserRecord;
}

/** The largest integer of PostgreSQL and of most clients. */
const MAX_INTEGER_VALUE = 2_147_483_647;

/**
 * The setting's value as it is stored.
 * @throws ApiError `BAD_REQUEST`, `REQUEST_VARIABLE_INVALID`
 */
export function checkedSetting(context: Context, name: PlainSettingName, given: GivenValue): GivenValue {
  switch (name) {
    case 'moderation_request_channel_id':
    case 'new_channel_announcements_channel_id':
    case 'server_update_announcements_channel_id':
    case 'signup_announcements_channel_id':
      return channelId(context, name, given);
    case 'video_chat_provider':
      if (!isOneOf(videoChatProviders(context.directory.server), given))
        throw badRequest(`Invalid video_chat_provider ${given}`);
      return given;
    default:
      return checkedValue(name, given);
  }
}

/**
 * The value of a setting that depends on nothing else.
 * @throws ApiError `BAD_REQUEST`, `REQUEST_VARIABLE_INVALID`
 */
export function checkedValue(name: PlainSettingName, given: GivenValue): GivenValue {
  switch (name) {
    case 'message_content_delete_limit_seconds':
    case 'message_content_edit_limit_seconds':
    case 'move_messages_between_channels_limit_seconds':
    case 'move_messages_within_channel_limit_seconds':
      return given === null || given === 'unlimited' ? null : positive(name, given);
    case 'message_retention_days':
      return given === 'unlimited' ? -1 : positive(name, given);
    case 'default_language':
      if (!isLanguage(String(given))) throw badRequest(`Invalid language '${given}'`);
      return given;
    case 'giphy_rating':
      if (!isOneOf(GIF_RATINGS, given)) throw badRequest(`Invalid giphy_rating ${given}`);
      return given;
    case 'video_chat_url':
      return given === '' ? '' : url(name, given);
    case 'jitsi_server_url':
      return given === null || given === 'default' ? null : url(name, given);
    default:
      return given;
  }
}

function positive(name: PlainSettingName, given: GivenValue): number {
  if (typeof given === 'number' && given > 0 && given <= MAX_INTEGER_VALUE) return given;
  throw badValue(wireNameOf(name), typeof given === 'number' ? given : String(given));
}

/** -1 means no channel. */
function channelId({ directory, caller }: Context, name: PlainSettingName, given: GivenValue): number {
  const id = Number(given);
  if (id < 0) return -1;
  const channel = accessChannel(directory, caller, id, 'know');
  if (channel.isArchived) throw badRequest('Invalid channel ID');
  if (name === 'moderation_request_channel_id' && !channel.isPrivate) {
    throw badRequest('Moderation request channel must be private.');
  }
  return id;
}

function isOneOf(choices: Readonly<Record<string, { readonly id: number }>>, given: GivenValue): boolean {
  return Object.values(choices).some(({ id }) => id === given);
}

function url(name: PlainSettingName, given: GivenValue): GivenValue {
  const parsed = URL.parse(String(given));
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw badRequest(`${name} is not an allowed_type`);
  return given;
}
