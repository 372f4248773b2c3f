/** Fields of an initial state that repeat others. The model reads only one of them, so they must agree. */
import assert from 'node:assert/strict';
import type { InitialState } from '../src/calls/types.ts';
import { Channels } from '../src/model/channels/channels.ts';
import type { Model } from '../src/model/model.ts';
import { isPlaceholder } from '../src/model/people/user-record.ts';

/** @param model that of the same state */
export function checkDerived(state: InitialState, model: Model): void {
  checkUsers(state);
  checkChannels(state, model);
  checkOlderPermissions(state, model);
  const { unread_msgs: unread, user_topics: topics, subscriptions } = state;
  if (unread === undefined) return;
  for (const one of unread.pms) assert.equal(one.sender_id, one.other_user_id);
  // The count excludes muted messages.
  if (topics !== undefined && subscriptions !== undefined) assert.equal(unread.count, model.unread.count);
}

function checkUsers({ realm_users: active = [], realm_non_active_users: others = [] }: InitialState): void {
  for (const user of [...active, ...others]) {
    // Brief users have only the role.
    if (isPlaceholder(user) || !('is_owner' in user)) continue;
    const { role, is_owner, is_admin, is_guest } = user;
    assert.deepEqual([is_owner, is_admin, is_guest], [role === 100, role <= 200, role === 600]);
  }
}

/** The channels are listed twice: all of them, and by subscription. */
function checkChannels(state: InitialState, { account, channels }: Model): void {
  const { subscriptions, unsubscribed, never_subscribed, ...rest } = state;
  if (state.streams === undefined || subscriptions === undefined) return;
  const listed = new Channels(rest as InitialState, account);
  assert.deepEqual([...listed.all.keys()].sort(), [...channels.all.keys()].sort());
  for (const [id, channel] of channels.all) {
    assert.deepEqual(listed.get(id), { ...channel, isSubscribed: false, settings: null });
  }
}

/** Permissions for clients that know no groups. */
function checkOlderPermissions(state: InitialState, { account, groups, organization, ownId }: Model): void {
  if (state.can_create_streams === undefined || state.realm_user_groups === undefined) return;
  const { settings, server } = organization;
  const may = (name: 'can_create_public_channel_group' | 'can_create_private_channel_group' | Other) =>
    !account.isGuest && groups.includes(settings[name], ownId);
  const isPublic = may('can_create_public_channel_group');
  const isPrivate = may('can_create_private_channel_group');
  const hasSpectators = server.web_public_streams_enabled && settings.enable_spectator_access;
  const isWebPublic = hasSpectators && may('can_create_web_public_channel_group');
  assert.deepEqual(
    {
      can_create_streams: state.can_create_streams,
      can_create_public_streams: state.can_create_public_streams,
      can_create_private_streams: state.can_create_private_streams,
      can_create_web_public_streams: state.can_create_web_public_streams,
      can_subscribe_other_users: state.can_subscribe_other_users,
      can_invite_others_to_realm: state.can_invite_others_to_realm,
    },
    {
      can_create_streams: isPublic || isPrivate || isWebPublic,
      can_create_public_streams: isPublic,
      can_create_private_streams: isPrivate,
      can_create_web_public_streams: isWebPublic,
      can_subscribe_other_users: may('can_add_subscribers_group'),
      can_invite_others_to_realm: may('can_invite_users_group'),
    },
  );
}

type Other = 'can_create_web_public_channel_group' | 'can_add_subscribers_group' | 'can_invite_users_group';
