/** The tables of the reference server's export: what is imported of each, and why the rest is not. */
import type { KnownFields } from '../field-notes.ts';
import { columnsOf, OF_CHANNELS, OF_ORGANIZATIONS } from './old-policies.ts';

interface KnownTable extends KnownFields {
  /** All settings are fields, which are checked one by one. */
  readonly hasSettings?: boolean;
}

const OF_SERVER = 'it belongs to the old server';
const NO_FEATURE = 'Heddle does not have this';
const COUNTED = 'the server counts or derives it itself';

export const IMPORTED_TABLES: Readonly<Record<string, KnownTable>> = {
  zerver_realm: {
    hasSettings: true,
    fields:
      'id name description date_created moderation_request_channel new_stream_announcements_stream topics_policy mandatory_topics ' +
      'message_edit_history_visibility_policy icon_source icon_version logo_source logo_version night_logo_source night_logo_version ' +
      `allow_edit_history notifications_stream email_address_visibility ${columnsOf(OF_ORGANIZATIONS)}`,
    left: {
      string_id: 'the command names the address of the new organization',
      uuid: OF_SERVER,
      uuid_owner_secret: OF_SERVER,
      deactivated: 'an imported organization is active',
      deactivated_redirect: OF_SERVER,
      signup_announcements_stream: NO_FEATURE,
      signup_notifications_stream: NO_FEATURE,
      zulip_update_announcements_stream: NO_FEATURE,
      zulip_update_announcements_level: NO_FEATURE,
      demo_organization_scheduled_deletion_date: NO_FEATURE,
      can_manage_billing_group: NO_FEATURE,
      can_summarize_topics_group: NO_FEATURE,
      giphy_rating: NO_FEATURE,
      plan_type: NO_FEATURE,
      upload_quota_gb: NO_FEATURE,
      custom_upload_quota_gb: NO_FEATURE,
      max_invites: NO_FEATURE,
      message_visibility_limit: NO_FEATURE,
      first_visible_message_id: NO_FEATURE,
      has_seat_based_plan: NO_FEATURE,
      push_notifications_enabled: OF_SERVER,
      push_notifications_enabled_end_timestamp: OF_SERVER,
      scheduled_deletion_date: OF_SERVER,
      authentication_methods: 'the settings of the server decide how users log in',
    },
  },
  zerver_realmuserdefault: { hasSettings: true, fields: 'id realm' },
  zerver_realmdomain: { fields: 'id realm domain allow_subdomains' },
  zerver_realmfilter: {
    fields: 'id realm pattern url_template url_format_string order',
    left: { example_input: NO_FEATURE, reverse_template: NO_FEATURE, alternative_url_templates: NO_FEATURE },
  },
  zerver_realmplayground: { fields: 'id realm name pygments_language url_template url_prefix' },
  zerver_realmemoji: { fields: 'id realm name author file_name is_animated deactivated' },
  zerver_userprofile: {
    hasSettings: true,
    fields:
      'id email delivery_email realm full_name date_joined is_active is_mirror_dummy is_imported_stub is_bot bot_type bot_owner role ' +
      'long_term_idle avatar_source avatar_version avatar_hash timezone recipient is_deleted is_realm_admin is_guest',
    left: {
      last_login: COUNTED,
      last_reminder: COUNTED,
      last_active_message_id: COUNTED,
      tos_version: OF_SERVER,
      uuid: OF_SERVER,
      is_staff: OF_SERVER,
      is_superuser: OF_SERVER,
      is_billing_admin: NO_FEATURE,
      can_create_users: 'only operators of this server can grant it',
      can_change_user_emails: 'only operators of this server can grant it',
      can_forge_sender: 'only operators of this server can grant it',
      default_sending_stream: NO_FEATURE,
      default_events_register_stream: NO_FEATURE,
      default_all_public_streams: NO_FEATURE,
      first_visible_message_id: NO_FEATURE,
      tutorial_status: NO_FEATURE,
      onboarding_steps: NO_FEATURE,
      rate_limits: OF_SERVER,
      zoom_token: OF_SERVER,
      third_party_api_state: OF_SERVER,
      groups: OF_SERVER,
      user_permissions: OF_SERVER,
      password: 'passwords are not imported',
      api_key: 'API keys are not imported',
    },
  },
  zerver_userprofile_crossrealm: { fields: 'id email realm' },
  zerver_stream: {
    fields:
      'id name description rendered_description realm recipient date_created deactivated creator invite_only is_web_public ' +
      'history_public_to_subscribers message_retention_days topics_policy folder is_recently_active first_message_id ' +
      'is_in_zephyr_realm can_add_subscribers_group can_administer_channel_group can_create_topic_group ' +
      'can_delete_any_message_group can_delete_own_message_group can_move_messages_out_of_channel_group ' +
      'can_move_messages_within_channel_group can_remove_subscribers_group can_resolve_topics_group can_send_message_group ' +
      `can_subscribe_group subscriber_count stream_weekly_traffic ${columnsOf(OF_CHANNELS)}`,
    left: { email_token: OF_SERVER },
  },
  zerver_channelfolder: {
    fields: 'id realm name description rendered_description date_created creator is_archived order',
  },
  zerver_defaultstream: { fields: 'id realm stream' },
  zerver_recipient: { fields: 'id type type_id' },
  zerver_huddle: { fields: 'id huddle_hash recipient group_size' },
  zerver_directmessagegroup: { fields: 'id huddle_hash recipient group_size' },
  zerver_subscription: {
    fields:
      'id user_profile recipient active is_user_active color is_muted pin_to_top desktop_notifications audible_notifications ' +
      'push_notifications email_notifications wildcard_mentions_notify role in_home_view',
  },
  zerver_usergroup: {
    fields: 'id realm name description is_system_group members direct_members direct_subgroups can_mention_group',
  },
  zerver_namedusergroup: {
    fields:
      'id usergroup_ptr realm realm_for_sharding name description creator date_created deactivated is_system_group ' +
      'can_add_members_group can_join_group can_leave_group can_manage_group can_mention_group can_remove_members_group direct_members direct_subgroups',
  },
  zerver_usergroupmembership: { fields: 'id user_group user_profile' },
  zerver_groupgroupmembership: { fields: 'id supergroup subgroup' },
  zerver_customprofilefield: {
    fields: 'id realm name hint order display_in_profile_summary required field_type field_data editable_by_user',
    left: { use_for_user_matching: NO_FEATURE },
  },
  zerver_customprofilefieldvalue: { fields: 'id user_profile field value rendered_value' },
  zerver_userstatus: {
    fields: 'id user_profile client status_text emoji_name emoji_code reaction_type timestamp',
    left: { status: 'replaced by settings of the user', scheduled_end_time: NO_FEATURE },
  },
  zerver_userpresence: { fields: 'id user_profile realm last_active_time last_connected_time last_update_id' },
  zerver_usertopic: { fields: 'id user_profile stream recipient topic_name last_updated visibility_policy' },
  zerver_mutedtopic: { fields: 'id user_profile stream recipient topic_name date_muted' },
  zerver_muteduser: { fields: 'id user_profile muted_user date_muted' },
  zerver_alertword: { fields: 'id realm user_profile word' },
  zerver_onboardingstep: { fields: 'id user onboarding_step timestamp' },
  zerver_navigationview: { fields: 'id user realm fragment is_pinned name' },
  zerver_savedsnippet: { fields: 'id realm user_profile title content date_created' },
  zerver_botstoragedata: { fields: 'id bot_profile key value' },
  zerver_draft: { fields: 'id user_profile recipient topic content last_edit_time' },
  zerver_scheduledmessage: {
    fields:
      'id sender recipient subject content rendered_content sending_client stream realm scheduled_timestamp request_timestamp ' +
      'read_by_sender delivered delivered_message has_attachment failed failure_message delivery_type reminder_target_message_id reminder_note',
  },
  zerver_client: { fields: 'id name' },
  zerver_reaction: { fields: 'id user_profile message emoji_name emoji_code reaction_type' },
  zerver_submessage: { fields: 'id message sender msg_type content' },
  zerver_message: {
    fields:
      'id sender recipient realm subject content rendered_content rendered_content_version date_sent pub_date sending_client last_edit_time ' +
      'last_moved_time edit_history has_attachment has_image has_link has_reaction is_channel_message type search_tsvector',
  },
  zerver_usermessage: { fields: 'id user_profile message flags flags_mask' },
  zerver_attachment: {
    fields:
      'id file_name path_id owner realm create_time size content_type is_realm_public is_web_public messages scheduled_messages ' +
      'is_claimed',
  },
};

/** Tables that are not imported, with the reason. */
export const LEFT_TABLES: Readonly<Record<string, string>> = {
  import_source: 'it names the program that wrote the archive',
  analytics_fillstate: 'Heddle has no statistics',
  analytics_installationcount: 'Heddle has no statistics',
  analytics_realmcount: 'Heddle has no statistics',
  analytics_streamcount: 'Heddle has no statistics',
  analytics_usercount: 'Heddle has no statistics',
  zerver_realmauditlog: 'Heddle keeps its own log of changes',
  zerver_realmauthenticationmethod: 'the settings of the server decide how users log in',
  zerver_realmexport: OF_SERVER,
  zerver_externalauthid: OF_SERVER,
  zerver_useractivity: COUNTED,
  zerver_useractivityinterval: COUNTED,
  zerver_presencesequence: COUNTED,
  zerver_imageattachment: COUNTED,
  zerver_attachment_messages: COUNTED,
  zerver_attachment_scheduled_messages: COUNTED,
  zerver_channelemailaddress: 'channels get new mail addresses',
  zerver_missedmessageemailaddress: OF_SERVER,
  zerver_service: 'the services of outgoing webhooks have secrets of the old server: set them up again',
  zerver_botconfigdata: 'embedded bots do not exist here',
  zerver_defaultstreamgroup: NO_FEATURE,
  zerver_defaultstreamgroup_streams: NO_FEATURE,
  zerver_onboardingusermessage: NO_FEATURE,
  zerver_userhotspot: NO_FEATURE,
  zerver_multiuseinvite: 'invitations have links of the old server: send new ones',
  zerver_preregistrationuser: 'invitations have links of the old server: send new ones',
  zerver_scheduledemail: OF_SERVER,
  zerver_device: 'devices register again',
  zerver_pushdevice: 'devices register again',
  zerver_pushdevicetoken: 'devices register again',
  zerver_archivedmessage: 'the messages were deleted',
};
