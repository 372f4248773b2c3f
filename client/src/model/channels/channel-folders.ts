import type { ChannelFolder, EventOfType, InitialState } from '../../calls/types.ts';
import { Subject } from '../changes.ts';

export interface ChannelFolderRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly descriptionHtml: string;
  readonly creatorId: number | null;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly isArchived: boolean;
}

/**
 * The folders of channels.
 *
 * Invariant: `all` is in the order in which clients show folders.
 */
export class ChannelFolders {
  readonly changes = new Subject();
  /** Also archived folders. */
  all: readonly ChannelFolderRecord[];
  #byId: ReadonlyMap<number, ChannelFolderRecord>;

  constructor(state: InitialState) {
    this.all = (state.channel_folders ?? []).toSorted((a, b) => a.order - b.order).map(folderRecord);
    this.#byId = byId(this.all);
  }

  get(folderId: number): ChannelFolderRecord | undefined {
    return this.#byId.get(folderId);
  }

  apply(event: EventOfType<'channel_folder'>): void {
    switch (event.op) {
      case 'add':
        // A new folder is the last one.
        this.#replace([...this.all, folderRecord(event.channel_folder)]);
        break;
      case 'update': {
        const { channel_folder_id: id, data } = event;
        this.#replace(this.all.map((folder) => (folder.id === id ? { ...folder, ...changedFields(data) } : folder)));
        break;
      }
      case 'reorder':
        this.#replace(event.order.flatMap((id) => this.#byId.get(id) ?? []));
    }
  }

  #replace(folders: readonly ChannelFolderRecord[]): void {
    this.all = folders;
    this.#byId = byId(folders);
    this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    return this.all;
  }
}

function byId(folders: readonly ChannelFolderRecord[]): Map<number, ChannelFolderRecord> {
  return new Map(folders.map((folder) => [folder.id, folder]));
}

function folderRecord(folder: ChannelFolder): ChannelFolderRecord {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    descriptionHtml: folder.rendered_description,
    creatorId: folder.creator_id,
    createdAt: folder.date_created,
    isArchived: folder.is_archived,
  };
}

type Update = Extract<EventOfType<'channel_folder'>, { readonly op: 'update' }>['data'];

function changedFields(data: Update): Partial<ChannelFolderRecord> {
  return {
    ...(data.name !== undefined && { name: data.name }),
    ...(data.description !== undefined && { description: data.description }),
    ...(data.rendered_description !== undefined && { descriptionHtml: data.rendered_description }),
    ...(data.is_archived !== undefined && { isArchived: data.is_archived }),
  };
}
