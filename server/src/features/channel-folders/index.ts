import type { Feature } from '../feature.ts';
import { channelFolderAttempts } from './attempts.ts';
import { folderPresenter } from './events.ts';
import { channelFolderRoutes } from './routes.ts';
import { channelFolderParts } from './state.ts';

export const channelFolders: Feature = {
  name: 'channel-folders',
  routes: channelFolderRoutes,
  state: () => channelFolderParts,
  presenters: { channel_folder: folderPresenter },
  attempts: channelFolderAttempts,
};
