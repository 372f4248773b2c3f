import type { Feature } from '../feature.ts';
import { activityJobs } from './activity.ts';
import { channelAttempts } from './attempts.ts';
import { channelPresenter, defaultChannelsPresenter } from './events.ts';
import { channelRoutes } from './routes.ts';
import { channelLimitsState, channelsState, defaultChannelGroupsState, defaultChannelsState } from './state.ts';

export const channels: Feature = {
  name: 'channels',
  routes: channelRoutes,
  state: () => [channelsState, defaultChannelsState, defaultChannelGroupsState, channelLimitsState],
  presenters: { stream: channelPresenter, default_streams: defaultChannelsPresenter },
  attempts: channelAttempts,
  jobs: activityJobs,
};
