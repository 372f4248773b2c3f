import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '@heddle/api/objects/channel-folder.ts';
import { sql } from 'kysely';
import { spectatorChannels } from '../../access/spectators.ts';
import { type ChannelFolder, selectFolders } from '../../domain/channels/open-folders.ts';
import { type StatePart, spectatorPart, stateOfAll, statePart } from '../../extension/initial-state.ts';

export const channelFolderParts: readonly StatePart[] = [
  // Including archived ones. Clients select them by the name of the field. Clients that only listen for the events get them, too.
  ...['channel_folders', 'channel_folder'].map((type) =>
    statePart<readonly ChannelFolder[]>({
      types: [type],
      select: ({ organizationId }) => selectFolders(organizationId, true),
      build: (_, folders) => ({ channel_folders: folders }),
      spectators: spectatorPart<readonly ChannelFolder[]>({
        async query(snapshot, { directory }) {
          const statement = sql<{
            folders: ChannelFolder[];
          }>`SELECT (${selectFolders(directory.organization.id, true)}) AS folders`;
          return (await statement.execute(snapshot)).rows[0]?.folders ?? [];
        },
        // The folders of the channels that spectators see.
        build({ directory }, folders) {
          const seen = new Set(spectatorChannels(directory).map(({ folderId }) => folderId));
          return { channel_folders: folders.filter(({ id }) => seen.has(id)) };
        },
      }),
    }),
  ),
  stateOfAll({
    types: ['realm'],
    build: () => ({
      max_channel_folder_name_length: MAX_FOLDER_NAME_LENGTH,
      max_channel_folder_description_length: MAX_FOLDER_DESCRIPTION_LENGTH,
    }),
  }),
];
