/** Fields of Slack's objects: what is imported, and why the rest is not. */
import type { KnownFields } from '../field-notes.ts';

const OF_PROGRAM = 'it belongs to Slack itself';
const NO_FEATURE = 'Heddle does not have this';
const ONLY_CONTENT = 'of attachments, texts, links and large pictures are imported';

export const SLACK_FIELDS: Readonly<Record<string, KnownFields>> = {
  user: {
    fields:
      'id team_id name deleted color real_name tz tz_label tz_offset profile is_admin is_owner is_primary_owner is_restricted ' +
      'is_ultra_restricted is_bot is_app_user updated who_can_share_contact_card is_email_confirmed is_invited_user presence locale teams',
    left: {
      is_workflow_bot: OF_PROGRAM,
      is_connector_bot: OF_PROGRAM,
      is_stranger: 'users of other workspaces become deactivated or active users like all others',
      enterprise_user: OF_PROGRAM,
      has_2fa: OF_PROGRAM,
      two_factor_type: OF_PROGRAM,
      guest_invited_by: NO_FEATURE,
      guest_expiration_ts: NO_FEATURE,
    },
  },
  profile: {
    fields:
      'title phone skype pronouns real_name real_name_normalized display_name display_name_normalized first_name last_name email ' +
      'status_text status_emoji status_emoji_display_info status_text_canonical avatar_hash image_24 image_32 image_48 image_72 ' +
      'image_192 image_512 image_1024 image_original is_custom_image team name bot_id api_app_id always_active',
    left: {
      status_expiration: 'a status stays until its user changes it',
      fields: 'the export does not name the fields',
      start_date: NO_FEATURE,
      who_can_share_contact_card: NO_FEATURE,
      huddle_state: OF_PROGRAM,
      huddle_state_expiration_ts: OF_PROGRAM,
      guest_invited_by: NO_FEATURE,
      guest_channels: NO_FEATURE,
      guest_expiration_ts: NO_FEATURE,
      real_name_phonetic: NO_FEATURE,
      ooo_message: NO_FEATURE,
    },
  },
  channel: {
    fields:
      'id name name_normalized created creator is_archived is_general is_channel is_group is_im is_mpim is_private members num_members ' +
      'topic purpose pins user context_team_id updated unlinked previous_names is_shared is_org_shared is_member is_open is_user_deleted priority latest',
    left: {
      last_read: 'it is about the user who made the export',
      properties: 'Heddle has no bookmarks, tabs and canvases of channels',
      is_ext_shared: NO_FEATURE,
      is_pending_ext_shared: NO_FEATURE,
      is_moved: OF_PROGRAM,
      shared_team_ids: NO_FEATURE,
      internal_team_ids: OF_PROGRAM,
      pending_shared: NO_FEATURE,
      pending_connected_team_ids: NO_FEATURE,
      parent_conversation: NO_FEATURE,
    },
  },
  usergroup: {
    fields:
      'id team_id is_usergroup is_subteam name description handle is_external date_create date_update date_delete auto_type ' +
      'created_by updated_by deleted_by users user_count channel_count enterprise_subteam_id auto_provision is_membership_locked',
    left: { prefs: 'Heddle has no default channels of groups' },
  },
  message: {
    fields:
      'type subtype ts user text team username bot_id bot_profile app_id user_profile user_team source_team client_msg_id thread_ts ' +
      'reply_count reply_users reply_users_count replies latest_reply is_locked parent_user_id subscribed edited reactions files attachments upload ' +
      'display_as_bot icons blocks permalink root hidden event_ts inviter x_files channel channel_type mrkdwn is_intro old_name name ' +
      'purpose topic members item_type comment file no_notifications bot_link upload_reply_to',
    left: {
      pinned_to: 'Heddle has no pins',
      pinned_info: 'Heddle has no pins',
      is_starred: 'it is about the user who made the export',
      last_read: 'it is about the user who made the export',
      metadata: 'it is for apps',
      room: 'Heddle has no huddles',
      assistant_app_thread: NO_FEATURE,
      ai_context: NO_FEATURE,
      item: 'Heddle has no pins',
      canvas: 'Heddle has no canvases',
    },
  },
  attachment: {
    fields:
      'id fallback color pretext author_name author_link author_id author_subname title title_link text fields footer image_url blocks ' +
      'message_blocks mrkdwn_in ts from_url original_url app_unfurl_url service_name service_url is_share is_msg_unfurl is_app_unfurl ' +
      'is_reply_unfurl is_thread_root_unfurl is_animated msg_subtype channel_id channel_name channel_team team_id bot_id bot_team_id app_id callback_id ' +
      'private_channel_prompt hide_title hide_border indent image_width image_height image_bytes thumb_width thumb_height thumb_size ' +
      'video_html_width video_html_height',
    left: {
      author_icon: ONLY_CONTENT,
      footer_icon: ONLY_CONTENT,
      service_icon: ONLY_CONTENT,
      thumb_url: ONLY_CONTENT,
      video_html: 'the title links to the video',
      video_url: 'the title links to the video',
      audio_html: ONLY_CONTENT,
      files: 'they belong to the shared message',
      actions: 'of buttons, only links are imported',
    },
  },
};
