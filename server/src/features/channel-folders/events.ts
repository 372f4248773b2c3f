import type { Presenter } from '../../directory/presenters.ts';
import type { ChannelFolder } from '../../domain/channels/open-folders.ts';

/** The bodies of `channel_folder` events in the log. */
export type FolderEvent =
  | { readonly op: 'add'; readonly folder: ChannelFolder }
  | { readonly op: 'update'; readonly folderId: number; readonly changes: FolderChanges }
  | { readonly op: 'reorder'; readonly folderIds: readonly number[] };

/** Fields of the wire's object. */
export type FolderChanges = Partial<
  Pick<ChannelFolder, 'name' | 'description' | 'rendered_description' | 'is_archived'>
>;

export const folderPresenter: Presenter = {
  present(event) {
    const body = event.body as FolderEvent;
    switch (body.op) {
      case 'add':
        return { type: 'channel_folder', op: 'add', channel_folder: body.folder };
      case 'update':
        return { type: 'channel_folder', op: 'update', channel_folder_id: body.folderId, data: body.changes };
      case 'reorder':
        return { type: 'channel_folder', op: 'reorder', order: body.folderIds };
    }
  },
};
