import type { Subscribable } from '../changes.ts';
import { merged } from '../merged.ts';
import type { Account } from '../own/account.ts';
import type { ChannelFolderRecord, ChannelFolders } from './channel-folders.ts';
import type { ChannelRecord } from './channel-record.ts';
import type { Channels } from './channels.ts';

/** A section of the channel list. Each list has ids of subscribed channels in the order of their names. */
export interface ChannelSection {
  /** Pinned channels, those of a folder, or all others. */
  readonly kind: 'pinned' | 'folder' | 'other';
  /** Null unless the section is for a folder. */
  readonly folder: ChannelFolderRecord | null;
  readonly active: readonly number[];
  readonly muted: readonly number[];
  /** Channels without new messages for a long time. */
  readonly inactive: readonly number[];
}

export interface ChannelLists {
  /** Pinned channels first, then the folders in their order, then the others. Empty sections are left out. */
  readonly sections: readonly ChannelSection[];
  /** Archived channels to which the user was subscribed. */
  readonly archived: readonly number[];
}

/** The values of the setting `demote_inactive_streams`. */
const DEMOTE = { automatically: 1, always: 2, never: 3 } as const;

/** With fewer channels, `automatically` keeps inactive channels among the others. */
const MIN_CHANNELS_TO_DEMOTE = 30;

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * The order of the subscribed channels in the channel list.
 *
 * Invariant: the lists are computed when someone reads them after a change. An event only marks them as outdated.
 */
export class ChannelOrder {
  /** Can notify of changes that leave the lists as they are. */
  readonly changes: Subscribable;
  readonly #channels: Channels;
  readonly #folders: ChannelFolders;
  readonly #account: Account;
  #lists: ChannelLists | undefined;
  #version = -1;

  constructor(channels: Channels, folders: ChannelFolders, account: Account) {
    this.#channels = channels;
    this.#folders = folders;
    this.#account = account;
    this.changes = merged(channels.orderChanges, folders.changes, account.changes);
  }

  /** The same object until a change. */
  get lists(): ChannelLists {
    const version = this.changes.read();
    if (this.#lists === undefined || version !== this.#version) this.#lists = this.#compute();
    this.#version = version;
    return this.#lists;
  }

  #compute(): ChannelLists {
    const all = [...this.#channels.subscribedIds]
      .flatMap((id) => this.#channels.get(id) ?? [])
      .sort((a, b) => byName.compare(a.name, b.name) || a.id - b.id);
    const shown = all.filter(({ isArchived }) => !isArchived);
    const demotesInactive = this.#demotesInactive(shown.length);
    const section = (channels: readonly ChannelRecord[], rest: Pick<ChannelSection, 'kind' | 'folder'>) =>
      channels.length === 0 ? [] : [{ ...rest, ...split(channels, demotesInactive) }];
    const groups = Map.groupBy(shown, (channel) => this.#groupOf(channel));
    return {
      sections: [
        ...section(groups.get('pinned') ?? [], { kind: 'pinned', folder: null }),
        ...this.#folders.all.flatMap((folder) => section(groups.get(folder.id) ?? [], { kind: 'folder', folder })),
        ...section(groups.get('other') ?? [], { kind: 'other', folder: null }),
      ],
      archived: all.flatMap(({ id, isArchived }) => (isArchived ? id : [])),
    };
  }

  #groupOf({ settings, folderId }: ChannelRecord): 'pinned' | 'other' | number {
    if (settings?.isPinned) return 'pinned';
    const showsFolders = this.#account.settings.web_left_sidebar_show_channel_folders ?? true;
    return folderId === null || !showsFolders || this.#folders.get(folderId) === undefined ? 'other' : folderId;
  }

  #demotesInactive(count: number): boolean {
    const demote = this.#account.settings.demote_inactive_streams ?? DEMOTE.automatically;
    return demote === DEMOTE.always || (demote === DEMOTE.automatically && count >= MIN_CHANNELS_TO_DEMOTE);
  }
}

function split(
  channels: readonly ChannelRecord[],
  demotesInactive: boolean,
): Pick<ChannelSection, 'active' | 'muted' | 'inactive'> {
  const lists: Record<'active' | 'muted' | 'inactive', number[]> = { active: [], muted: [], inactive: [] };
  for (const { id, settings, isRecentlyActive } of channels) {
    if (settings?.isMuted) lists.muted.push(id);
    else if (demotesInactive && !isRecentlyActive) lists.inactive.push(id);
    else lists.active.push(id);
  }
  return lists;
}
