import type { Feature } from '../../extension/feature.ts';
import { activityJobs } from '../channels/activity.ts';
import { channelPresenter, defaultChannelsPresenter } from '../channels/events.ts';
import {
  channelLimitsState,
  channelsState,
  defaultChannelGroupsState,
  defaultChannelsState,
} from '../channels/state.ts';
import { channelRoutes } from './routes.ts';

export const channels: Feature = {
  routes: channelRoutes,
  state: () => [channelsState, defaultChannelsState, defaultChannelGroupsState, channelLimitsState],
  presenters: { stream: channelPresenter, default_streams: defaultChannelsPresenter },
  jobs: activityJobs,
};
