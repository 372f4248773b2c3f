/** Fields of Rocket.Chat's documents and its collections: what is imported, and why the rest is not. */
import type { KnownFields } from '../field-notes.ts';

const OF_PROGRAM = 'it belongs to Rocket.Chat itself';
const NO_FEATURE = 'Heddle does not have this';
const ONLY_CONTENT = 'of attachments, texts, links and pictures are imported';
const COUNTED = 'the server counts it itself';

export const ROCKETCHAT_FIELDS: Readonly<Record<string, KnownFields>> = {
  users: {
    fields:
      '_id username name emails type roles active createdAt bio nickname statusText language avatarETag avatarOrigin _updatedAt ' +
      'lastLogin status statusConnection statusDefault utcOffset __rooms appId',
    left: {
      services: 'passwords and tokens are not imported',
      settings: 'it is a setting of the Rocket.Chat app',
      customFields: 'Heddle has profile fields of its own',
      e2e: 'Heddle has no encrypted messages',
      requirePasswordChange: 'passwords are not imported',
      requirePasswordChangeReason: 'passwords are not imported',
      statusLivechat: 'Heddle has no live chat',
      livechat: 'Heddle has no live chat',
      avatarUrl: 'only pictures in the archive are imported',
      reason: NO_FEATURE,
      federated: NO_FEATURE,
      inviteToken: NO_FEATURE,
      banners: OF_PROGRAM,
    },
  },
  rocketchat_room: {
    fields:
      '_id t name fname topic description announcement u ts usernames uids prid archived default ro teamId teamMain teamDefault msgs lm ' +
      'lastMessage usersCount _updatedAt unmuted ownerId jitsiTimeout featured sidepanel',
    left: {
      muted: NO_FEATURE,
      customFields: NO_FEATURE,
      joinCodeRequired: NO_FEATURE,
      encrypted: 'Heddle has no encrypted messages',
      e2eKeyId: 'Heddle has no encrypted messages',
      broadcast: NO_FEATURE,
      reactWhenReadOnly: NO_FEATURE,
      sysMes: OF_PROGRAM,
      retention: NO_FEATURE,
      avatarETag: 'channels have no pictures',
      announcementDetails: NO_FEATURE,
      federated: NO_FEATURE,
    },
  },
  rocketchat_subscription: {
    fields:
      '_id rid u t ls ts lr f roles disableNotifications muteGroupMentions desktopNotifications mobilePushNotifications emailNotifications ' +
      'name fname open alert unread userMentions groupMentions _updatedAt prid archived teamId teamMain tunread tunreadUser tunreadGroup ' +
      'desktopPrefOrigin mobilePrefOrigin emailPrefOrigin lowerCaseName lowerCaseFName',
    left: {
      audioNotificationValue: OF_PROGRAM,
      audioNotifications: OF_PROGRAM,
      hideUnreadStatus: NO_FEATURE,
      hideMentionStatus: NO_FEATURE,
      userHighlights: NO_FEATURE,
      autoTranslate: NO_FEATURE,
      autoTranslateLanguage: NO_FEATURE,
      ignored: NO_FEATURE,
      blocked: NO_FEATURE,
      blocker: NO_FEATURE,
      E2EKey: 'Heddle has no encrypted messages',
      oldRoomKeys: 'Heddle has no encrypted messages',
    },
  },
  message: {
    fields:
      '_id rid msg ts u t tmid tcount tlm replies tshow reactions starred pinned pinnedAt pinnedBy editedAt editedBy mentions channels urls ' +
      'file files attachments md alias bot groupable _updatedAt _hidden parent unread parseUrls private drid dcount dlm role token content ' +
      'blocks location',
    left: {
      avatar: 'the sender is the account that posted',
      emoji: 'the sender is the account that posted',
      translations: NO_FEATURE,
      customFields: NO_FEATURE,
      score: COUNTED,
      tmsg: 'a thread is a topic',
      federation: NO_FEATURE,
      e2e: 'Heddle has no encrypted messages',
      e2eMentions: 'Heddle has no encrypted messages',
    },
  },
  attachment: {
    fields:
      'type title title_link title_link_download text fields pretext fallback author_name author_link image_url thumb_url footer color ts ' +
      'message_link description image_type image_size image_dimensions image_preview audio_url audio_type audio_size video_url video_type ' +
      'video_size format size attachments collapsed mrkdwn_in hashes encryption fileId',
    left: {
      author_icon: ONLY_CONTENT,
      footer_icon: ONLY_CONTENT,
      actions: 'of buttons, only links are imported',
      button_alignment: 'buttons of apps do not work here',
      translations: NO_FEATURE,
    },
  },
};

/** Collections that are read. */
export const READ_COLLECTIONS: ReadonlySet<string> = new Set([
  ...[
    'users',
    'rocketchat_room',
    'rocketchat_subscription',
    'rocketchat_team',
    'rocketchat_message',
    'rocketchat_settings',
  ],
  ...['rocketchat_uploads', 'rocketchat_uploads.files', 'rocketchat_uploads.chunks'],
  ...['rocketchat_avatars', 'rocketchat_avatars.files', 'rocketchat_avatars.chunks'],
  ...['rocketchat_custom_emoji', 'custom_emoji.files', 'custom_emoji.chunks'],
]);

/** Collections that are not imported, with the reason. */
export const LEFT_COLLECTIONS: readonly (readonly [RegExp, string])[] = [
  [/^rocketchat_(?:livechat|omnichannel|canned_response|voip|freeswitch)/, 'Heddle has no live chat'],
  [
    /^rocketchat_(?:roles|permissions|team_member)$/,
    'Heddle grants permissions to groups, and the channels have their defaults',
  ],
  [
    /^rocketchat_(?:oauth_apps|integrations|integration_history|apps.*|webhooks?)$/,
    'they have secrets of the old server',
  ],
  [
    /^rocketchat_(?:_trash|statistics|analytics|sessions|cron_history|migrations|notification_queue|raw_imports|import|reports|nps.*)$/,
    OF_PROGRAM,
  ],
  [
    /^rocketchat_(?:banner.*|credential_tokens|invites|oembed_cache|read_receipts.*|server_events|user_data_files|video_conference|workspace_credentials)$/,
    OF_PROGRAM,
  ],
  [/^(?:rocketchat_)?custom_(?:sounds|user_status)(?:\.files|\.chunks)?$/, NO_FEATURE],
  [
    /^(?:usersSessions|instances|migrations|meteor_.*|system\..*|ufsTokens|_raix_push.*|view_.*|usersLoginAttempts)$/,
    OF_PROGRAM,
  ],
];
