/** An export of the reference server with rows of many tables, and some that are not valid. */
const at = 1_700_000_000;
export const [ADA, BO, CY, ROBOT] = [501, 502, 503, 504];
const user = (id: number, name: string, more: object = {}) => ({
  ...{ id, full_name: name, delivery_email: `${name.toLowerCase()}@example.com`, is_active: true, is_bot: false },
  ...{ role: 400, date_joined: at, timezone: 'Europe/Berlin', ...more },
});
const message = (id: number, sender: number, recipient: number, topic: string, content: string, more: object = {}) => ({
  ...{ id, sender, recipient, content, date_sent: at + id, subject: topic, sending_client: 3, ...more }, // wire name: its column
});

/** wire name: the tables of the reference server */
export const zulipTables = {
  zerver_realm: [
    {
      ...{ id: 2, name: 'Old Loom', description: '', date_created: at, icon_source: 'U', invite_required: false },
      ...{ waiting_period_threshold: 3, message_content_edit_limit_seconds: null, topics_policy: 3, giphy_rating: 2 },
      ...{ message_edit_history_visibility_policy: 1, default_language: 'no such language', looms: 4 },
      ...{ new_stream_announcements_stream: 31, can_create_groups: 90, can_invite_users_group: 92 },
      ...{ create_stream_policy: 3, email_address_visibility: 3 },
    },
  ],
  zerver_realmuserdefault: [{ id: 1, realm: 2, enter_sends: true, web_font_size_px: 14 }],
  zerver_realmdomain: [
    { id: 1, realm: 2, domain: 'example.com', allow_subdomains: true },
    { id: 2, realm: 2, domain: 'no domain', allow_subdomains: true },
  ],
  zerver_realmfilter: [
    { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}', order: 1 },
    { id: 2, pattern: '(', url_template: 'https://example.com/', order: 2 },
  ],
  zerver_realmplayground: [
    { id: 1, name: 'Play', pygments_language: 'Python', url_template: 'https://p.example.com/{code}' },
  ],
  zerver_userprofile: [
    user(ADA, 'Ada', { role: 100, enter_sends: true, web_font_size_px: 99_999, can_forge_sender: true }),
    user(BO, 'Bo', { email_address_visibility: 3 }),
    user(CY, 'Cy'),
    user(ROBOT, 'Robot', { is_bot: true, bot_owner: BO, delivery_email: 'robot-bot@example.com' }),
  ],
  zerver_stream: [
    {
      ...{ id: 31, name: 'square', description: 'For **all**', invite_only: false, date_created: at, folder: 11 },
      ...{ creator: BO, message_retention_days: 30, can_send_message_group: 91, topics_policy: 2, email_token: 'x' },
    },
    {
      ...{ id: 32, name: 'attic', description: '', invite_only: true, history_public_to_subscribers: false },
      ...{ date_created: at, can_administer_channel_group: 92, stream_post_policy: 2 },
    },
  ],
  zerver_channelfolder: [
    { id: 11, name: 'Rooms', description: 'with *looms*', order: 0, is_archived: false, creator: ADA },
  ],
  zerver_recipient: [
    { id: 61, type: 2, type_id: 31 },
    { id: 62, type: 2, type_id: 32 },
    { id: 63, type: 1, type_id: BO },
  ],
  zerver_subscription: [
    {
      user_profile: ADA,
      recipient: 61,
      active: true,
      color: '#112233',
      is_muted: true,
      pin_to_top: true,
      push_notifications: true,
    },
    { user_profile: BO, recipient: 61, active: true, color: 'red' },
    { user_profile: ADA, recipient: 62, active: true },
    { user_profile: BO, recipient: 62, active: true },
    { user_profile: CY, recipient: 62, active: true },
  ],
  zerver_namedusergroup: [
    { usergroup_ptr: 89, name: 'role:members', is_system_group: true },
    { usergroup_ptr: 90, name: 'role:administrators', is_system_group: true },
    {
      usergroup_ptr: 91,
      name: 'weavers',
      description: 'at looms',
      is_system_group: false,
      can_manage_group: 92,
      creator: BO,
    },
    {
      usergroup_ptr: 93,
      name: 'spinners',
      description: '',
      is_system_group: false,
      deactivated: false,
      can_mention_group: 91,
    },
  ],
  // 92 has no name: a set of users and groups.
  zerver_usergroup: [{ id: 92 }],
  zerver_usergroupmembership: [
    { user_group: 91, user_profile: BO },
    { user_group: 92, user_profile: CY },
    { user_group: 89, user_profile: CY },
  ],
  zerver_groupgroupmembership: [
    { supergroup: 91, subgroup: 93 },
    { supergroup: 93, subgroup: 91 },
    { supergroup: 92, subgroup: 93 },
  ],
  zerver_customprofilefield: [
    { id: 41, name: 'Mentor', order: 2, field_type: 6, field_data: '' },
    { id: 42, name: 'Craft', order: 1, field_type: 1, field_data: '', display_in_profile_summary: true },
    { id: 43, name: 'Loom', order: 3, field_type: 3, field_data: '{"a": {"text": "Big", "order": "1"}}' },
    { id: 44, name: 'Broken', order: 4, field_type: 3, field_data: '[' },
  ],
  zerver_customprofilefieldvalue: [
    { user_profile: ADA, field: 41, value: JSON.stringify([BO]) },
    { user_profile: ADA, field: 42, value: '*weaver*' },
    { user_profile: BO, field: 43, value: 'b' },
  ],
  zerver_userstatus: [{ user_profile: BO, status_text: 'weaving', emoji_name: 'heart', status: 0 }],
  zerver_userpresence: [{ user_profile: BO, last_active_time: at, last_connected_time: at + 60 }],
  zerver_usertopic: [
    { user_profile: ADA, stream: 31, topic_name: 'warp', visibility_policy: 3, last_updated: at },
    { user_profile: BO, stream: 31, topic_name: 'weft', visibility_policy: 1, last_updated: at },
    { user_profile: BO, stream: 99, topic_name: 'weft', visibility_policy: 1, last_updated: at },
  ],
  zerver_muteduser: [{ user_profile: ADA, muted_user: CY, date_muted: at }],
  zerver_alertword: [
    { user_profile: ADA, word: 'shuttle' },
    { user_profile: ADA, word: 'Shuttle' },
  ],
  zerver_onboardingstep: [{ user: ADA, onboarding_step: 'intro_inbox_view_modal', timestamp: at }],
  zerver_navigationview: [{ user: ADA, fragment: 'narrow/channel/31-square', is_pinned: true, name: 'My square' }],
  zerver_savedsnippet: [{ user_profile: ADA, title: 'Hello', content: 'Hi @**Bo|502**', date_created: at }],
  zerver_botstoragedata: [{ bot_profile: ROBOT, key: 'thread', value: 'red' }],
  zerver_draft: [
    { user_profile: ADA, recipient: 61, topic: 'warp', content: 'a draft', last_edit_time: at },
    { user_profile: ADA, recipient: 63, topic: '', content: 'to Bo', last_edit_time: at },
  ],
  zerver_scheduledmessage: [
    {
      ...{ sender: ADA, recipient: 61, subject: 'warp', content: 'later', scheduled_timestamp: 7_000_000_000 },
      ...{ delivered: false, delivery_type: 1, read_by_sender: true },
    },
    {
      ...{ sender: ADA, recipient: 63, subject: '', content: 'remember', scheduled_timestamp: 7_000_000_000 },
      ...{ delivered: false, delivery_type: 2, reminder_target_message_id: 1001, reminder_note: 'my note' },
    },
    { sender: ADA, recipient: 61, subject: 'x', content: 'was sent', scheduled_timestamp: at, delivered: true },
  ],
  zerver_client: [{ id: 3, name: 'website' }],
  zerver_reaction: [
    { message: 1001, user_profile: BO, emoji_name: 'heart', reaction_type: 'unicode_emoji' },
    {
      ...{ message: 1001, user_profile: BO, emoji_name: 'zulip' },
      emoji_code: 'zulip',
      reaction_type: 'zulip_extra_emoji',
    },
    // A name that is not usual any more.
    {
      ...{ message: 1001, user_profile: BO, emoji_name: 'old_name' },
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
    },
  ],
  zerver_submessage: [
    {
      message: 1002,
      sender: ADA,
      msg_type: 'widget',
      content: '{"widget_type":"poll","extra_data":{"question":"Red?","options":["yes"]}}',
    },
    { message: 1002, sender: BO, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' },
    { message: 1001, sender: BO, msg_type: 'widget', content: '{"widget_type":"poll"}' },
  ],
  zerver_realmauditlog: [{ id: 1 }, { id: 2 }],
  zerver_novelty: [{ id: 1 }],
  import_source: 'somewhere',
};

export const zulipMessages = {
  // The flags come before their messages.
  zerver_usermessage: [
    ...[1001, 1002].flatMap((id) => [ADA, BO].map((one) => ({ user_profile: one, message: id, flags_mask: 1 }))),
    { user_profile: ADA, message: 1004, flags_mask: 1 + 512 },
    ...[1004, 1005].map((id) => ({ user_profile: BO, message: id, flags_mask: 1 })),
    // Cy left after the first message and came back before the third one.
    { user_profile: CY, message: 1004, flags_mask: 1 },
    ...[1006, 1007].map((id) => ({ user_profile: CY, message: id, flags_mask: id === 1007 ? 0 : 1 })),
  ],
  zerver_message: [
    message(1001, ADA, 61, 'warp', 'hello @*weavers* #7', {
      last_edit_time: at + 5000,
      edit_history: JSON.stringify([
        { user_id: BO, timestamp: at + 6000, prev_topic: 'weft', topic: 'warp' },
        { user_id: ADA, timestamp: at + 5000, prev_content: 'Hallo' },
      ]),
    }),
    message(1002, ADA, 61, 'warp', '/poll Red?'),
    message(1004, ADA, 62, 'x', 'first of the attic'),
    message(1005, ADA, 62, 'x', 'while Cy was away'),
    message(1006, ADA, 62, 'x', 'after Cy came back'),
    message(1007, ADA, 62, 'x', 'the last one'),
  ],
};
