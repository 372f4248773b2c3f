import { eachChannelSetting, PLAIN_CHANNEL_SETTING_NAMES } from '@heddle/api/channel-settings.ts';
import * as endpoints from '@heddle/api/endpoints/channels.ts';
import { CHANNEL_PERMISSIONS } from '@heddle/api/permissions.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({
  owner,
  member,
  publicChannel,
  privateChannel,
  groupId,
  ownUserId,
}) => {
  const ids = [publicChannel, privateChannel].map(({ id }) => ({ stream_id: id }));
  const users = [owner.userId, member.userId];
  const names = Object.keys(CHANNEL_PERMISSIONS);
  const values = [
    groupId,
    { direct_members: [owner.userId], direct_subgroups: [] },
    { direct_members: [ownUserId, member.userId], direct_subgroups: [] },
    { direct_members: [], direct_subgroups: [groupId] },
  ];
  const telling = `@**|${owner.userId}** @**|${member.userId}** #**${privateChannel.name}**`;
  return [
    probesOf(endpoints.createChannel, {
      refused: [
        ...users.map((user) => ({ name: 'x', subscribers: [user] })),
        { name: 'x', subscribers: [], folder_id: 1 },
        ...names.flatMap((name) => values.map((value) => ({ name: 'x', subscribers: [], [name]: value }))),
      ],
      contained: [{ name: 'telling', subscribers: [], description: telling }],
      harmless: [
        'announce',
        'invite_only',
        'is_web_public',
        'is_default_stream',
        'history_public_to_subscribers',
        ...PLAIN_CHANNEL_SETTING_NAMES.filter((name) => name !== 'folder_id'),
        'send_new_subscription_messages',
      ],
    }),
    probesOf(endpoints.getChannels, {
      contained: [
        {},
        { include_all: true, exclude_archived: false },
        { include_all_active: true, include_default: true },
        {
          include_public: true,
          include_web_public: true,
          include_subscribed: true,
          include_owner_subscribed: true,
          include_can_access_content: true,
        },
      ],
    }),
    probesOf(endpoints.getChannel, { refused: ids }),
    probesOf(endpoints.updateChannel, {
      refused: [
        ...ids.map((id) => ({ ...id, new_name: 'x', description: 'x', is_archived: true })),
        ...ids.map((id) => ({ ...id, is_private: false, is_web_public: false, history_public_to_subscribers: true })),
        ...ids.map((id) => ({ ...id, is_default_stream: true, message_retention_days: 'unlimited' })),
        ...ids.map((id) => ({ ...id, ...eachChannelSetting('defaultInRequests') })),
        ...ids.flatMap((id) => names.flatMap((name) => values.map((value) => ({ ...id, [name]: { new: value } })))),
      ],
    }),
    probesOf(endpoints.archiveChannel, { refused: ids }),
    probesOf(endpoints.addDefaultChannel, { refused: ids }),
    probesOf(endpoints.removeDefaultChannel, { refused: ids }),
    probesOf(endpoints.getChannelEmailAddress, { refused: ids.map((id) => ({ ...id, sender_id: owner.userId })) }),
    probesOf(endpoints.getChannelId, {
      refused: [publicChannel, privateChannel].map(({ name }) => ({ stream: name })),
    }),
    probesOf(endpoints.getSubscribers, { refused: ids }),
  ];
};
