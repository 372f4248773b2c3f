import { PLAIN_CHANNEL_SETTING_NAMES } from '@heddle/api/channel-settings.ts';
import * as endpoints from '@heddle/api/endpoints/subscriptions.ts';
import { CHANNEL_PERMISSIONS } from '@heddle/api/permissions.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = (victim) => {
  const { owner, member, publicChannel, privateChannel, groupId, ownUserId } = victim;
  const users = [owner.userId, member.userId];
  const general = [{ name: 'general' }];
  const values = [groupId, { direct_members: [owner.userId], direct_subgroups: [groupId] }];
  const channels = [publicChannel, privateChannel];
  return [
    probesOf(endpoints.getSubscriptions, { contained: [{ include_subscribers: true }] }),
    probesOf(endpoints.subscribe, {
      refused: [
        ...users.map((user) => ({ subscriptions: general, principals: [user] })),
        { subscriptions: general, principals: [owner.email] },
        {
          subscriptions: general,
          principals: [ownUserId, member.userId],
          authorization_errors_fatal: false,
          send_new_subscription_messages: true,
        },
        { subscriptions: [{ name: 'x' }], folder_id: 1 },
        ...Object.keys(CHANNEL_PERMISSIONS).flatMap((name) =>
          values.map((value) => ({ subscriptions: [{ name: 'x' }], [name]: value })),
        ),
      ],
      harmless: [
        'announce',
        'invite_only',
        'is_web_public',
        'is_default_stream',
        'history_public_to_subscribers',
        ...PLAIN_CHANNEL_SETTING_NAMES.filter((name) => name !== 'folder_id'),
      ],
    }),
    probesOf(endpoints.unsubscribe, {
      refused: [
        ...channels.map(({ name }) => ({ subscriptions: [name] })),
        { subscriptions: ['general'], principals: users },
        { subscriptions: ['general'], principals: [member.email] },
      ],
    }),
    probesOf(endpoints.updateSubscriptions, {
      refused: channels.map(({ name }) => ({ delete: [name] })),
      contained: [{ add: [{ name: `${privateChannel.name} too` }] }],
    }),
    probesOf(endpoints.updateSubscriptionSettings, {
      refused: channels.map(({ id }) => ({
        subscription_data: [{ stream_id: id, property: 'color', value: '#c2c2c2' }],
      })),
    }),
    probesOf(endpoints.getUserChannels, { refused: users.map((user_id) => ({ user_id })) }),
    probesOf(endpoints.getSubscriptionStatus, {
      refused: [
        ...users.map((user_id) => ({ user_id, stream_id: publicChannel.id })),
        ...channels.map(({ id }) => ({ user_id: ownUserId, stream_id: id })),
      ],
    }),
  ];
};
