import type { Feature } from '../../extension/feature.ts';
import { folderPresenter } from './events.ts';
import { channelFolderRoutes } from './routes.ts';
import { channelFolderParts } from './state.ts';

export const channelFolders: Feature = {
  routes: channelFolderRoutes,
  state: () => channelFolderParts,
  presenters: { channel_folder: folderPresenter },
  exports: [
    {
      table: 'channel_folders',
      fields: [
        'id',
        'name',
        'description',
        'rendered_description',
        'creator_id',
        'created_at',
        'is_archived',
        'position',
      ],
    },
  ],
};
