import { PLAIN_CHANNEL_SETTING_NAMES } from '@heddle/api/channel-settings.ts';
import type { Feature } from '../../../extension/feature.ts';
import { activityJobs } from '../../channels/activity.ts';
import { channelPresenter, defaultChannelsPresenter } from '../../channels/events.ts';
import {
  channelLimitsState,
  channelsState,
  defaultChannelGroupsState,
  defaultChannelsState,
} from '../../channels/state.ts';
import { channelRoutes } from './routes.ts';

export const channels: Feature = {
  routes: channelRoutes,
  state: () => [channelsState, defaultChannelsState, defaultChannelGroupsState, channelLimitsState],
  presenters: { stream: channelPresenter, default_streams: defaultChannelsPresenter },
  jobs: activityJobs,
  exports: [
    {
      table: 'channels',
      fields: [
        'id',
        'recipient_id',
        'name',
        'description',
        'rendered_description',
        'creator_id',
        'created_at',
        'is_private',
        'is_web_public',
        'history_public_to_subscribers',
        'is_archived',
        'is_default',
        ...PLAIN_CHANNEL_SETTING_NAMES,
        'first_message_id',
        'group_settings',
        'retention_changed_at',
        'is_recently_active',
      ],
      withheld: { activity_due_at: 'when this server looks next' },
      rows: ({ hasChannel }) => hasChannel('id'),
    },
  ],
};
