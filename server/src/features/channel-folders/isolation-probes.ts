import * as endpoints from '@heddle/api/endpoints/channel-folders.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  const texts = { name: secret('folder'), description: secret('folder description') };
  const created = await owner.ok('POST', '/channel_folders/create', texts);
  const id = Number(created.channel_folder_id);
  return [
    probesOf(endpoints.getChannelFolders, { contained: [{ include_archived: true }] }),
    probesOf(endpoints.createChannelFolder, { contained: [{ name: 'own', description: '' }] }),
    probesOf(endpoints.reorderChannelFolders, { refused: [{ order: [id] }] }),
    probesOf(endpoints.updateChannelFolder, {
      refused: [
        { channel_folder_id: id, name: 'x' },
        { channel_folder_id: id, description: 'x' },
        { channel_folder_id: id, is_archived: true },
      ],
    }),
  ];
};
