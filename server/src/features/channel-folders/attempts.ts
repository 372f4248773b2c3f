import * as endpoints from '@heddle/api/endpoints/channel-folders.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, secret }) => {
  const texts = { name: secret('folder'), description: secret('folder description') };
  const created = await owner.ok('POST', '/channel_folders/create', texts);
  const id = Number(created.channel_folder_id);
  return [
    attemptsOn(endpoints.getChannelFolders, { contained: [{ include_archived: true }] }),
    attemptsOn(endpoints.createChannelFolder, { contained: [{ name: 'own', description: '' }] }),
    attemptsOn(endpoints.reorderChannelFolders, { refused: [{ order: [id] }] }),
    attemptsOn(endpoints.updateChannelFolder, {
      refused: [
        { channel_folder_id: id, name: 'x' },
        { channel_folder_id: id, description: 'x' },
        { channel_folder_id: id, is_archived: true },
      ],
    }),
  ];
};
