import type { ChannelFolderRecord } from '@heddle/client/model/channels/channel-folders.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { UnreadGroup } from '@heddle/client/model/messages/unread.ts';
import type { Model } from '@heddle/client/model/model.ts';

export type InboxFilter = 'unmuted' | 'all' | 'followed';

export type InboxRow =
  | {
      readonly kind: 'section';
      readonly key: string;
      readonly section: InboxSection;
      readonly count: number;
      readonly isOpen: boolean;
    }
  | { readonly kind: 'channel'; readonly key: string; readonly channelId: number; readonly isOpen: boolean }
  | { readonly kind: 'conversation'; readonly key: string; readonly place: Place };

export type InboxSection = 'direct' | 'pinned' | 'other' | ChannelFolderRecord;

/** What the rows of a channel or of the direct messages are made of. */
interface Summary {
  readonly version: number;
  /** The newest unread message is first. */
  readonly places: readonly Place[];
  readonly count: number;
}

const NOTHING: Summary = { version: -1, places: [], count: 0 };
const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * The rows of the inbox. What was computed of a channel is kept until the channel changes, so that a message in one
 * channel does not look at the others.
 */
export class InboxRows {
  readonly #model: Model;
  readonly #filter: InboxFilter;
  readonly #channels = new Map<number, Summary>();
  readonly #newest = new Map<string, { readonly version: number; readonly id: number }>();

  constructor(model: Model, filter: InboxFilter) {
    this.#model = model;
    this.#filter = filter;
  }

  /** @param isOpen whether the user has the section with this key open */
  rows(isOpen: (key: string) => boolean): readonly InboxRow[] {
    const rows: InboxRow[] = [];
    const direct = this.#direct();
    if (direct.places.length > 0) {
      const key = 'section direct';
      rows.push({ kind: 'section', key, section: 'direct', count: direct.count, isOpen: isOpen(key) });
      if (isOpen(key)) rows.push(...direct.places.map(conversation));
    }
    const sections = this.#sections();
    // A single heading above all channels would say nothing.
    const hasHeadings = sections.length > 1 || rows.length > 0;
    for (const { key, section, channelIds } of sections) {
      const count = channelIds.reduce((sum, id) => sum + this.#ofChannel(id).count, 0);
      if (hasHeadings) rows.push({ kind: 'section', key, section, count, isOpen: isOpen(key) });
      if (hasHeadings && !isOpen(key)) continue;
      for (const channelId of channelIds) {
        const channel = { kind: 'channel', key: `c${channelId}`, channelId, isOpen: isOpen(`c${channelId}`) } as const;
        rows.push(channel);
        if (channel.isOpen) rows.push(...this.#ofChannel(channelId).places.map(conversation));
      }
    }
    return rows;
  }

  #sections(): { key: string; section: InboxSection; channelIds: readonly number[] }[] {
    const { channels, channelFolders, account } = this.#model;
    const showsFolders = account.settings.web_inbox_show_channel_folders ?? true;
    const ids = [...this.#model.unread.channelIds()].filter((id) => this.#ofChannel(id).places.length > 0);
    const name = (id: number) => channels.get(id)?.name ?? '';
    ids.sort((a, b) => byName.compare(name(a), name(b)) || a - b);
    const groups = Map.groupBy(ids, (id) => {
      const channel = channels.get(id);
      if (channel?.settings?.isPinned) return 'pinned';
      const folderId = channel?.folderId ?? null;
      return showsFolders && folderId !== null && channelFolders.get(folderId) !== undefined ? folderId : 'other';
    });
    const section = (group: 'pinned' | 'other' | number, value: InboxSection) => {
      const channelIds = groups.get(group) ?? [];
      return channelIds.length === 0 ? [] : [{ key: `section ${group}`, section: value, channelIds }];
    };
    return [
      ...section('pinned', 'pinned'),
      ...channelFolders.all.flatMap((folder) => section(folder.id, folder)),
      ...section('other', 'other'),
    ];
  }

  #ofChannel(channelId: number): Summary {
    const { unread, topicPolicies, channels } = this.#model;
    const version =
      unread.changesOf.of(`c${channelId}`).read() +
      topicPolicies.changesOf.of(channelId).read() +
      channels.changesOf.of(channelId).read();
    const known = this.#channels.get(channelId) ?? NOTHING;
    if (known.version === version) return known;
    const groups = [...unread.groupsOfChannel(channelId)].filter(({ place }) => this.#shows(place));
    const summary = { version, ...this.#summarize(groups) };
    this.#channels.set(channelId, summary);
    return summary;
  }

  #direct(): Omit<Summary, 'version'> {
    if (this.#filter === 'followed' || this.#model.unread.directCount === 0) return NOTHING;
    const groups = [...this.#model.unread.groups()].filter(({ place }) => place.kind === 'direct');
    return this.#summarize(groups);
  }

  #shows(place: Place): boolean {
    if (place.kind === 'direct' || this.#filter === 'all') return true;
    const { channelId, topic } = place;
    if (this.#filter === 'followed') return this.#model.topicPolicies.isFollowed(channelId, topic);
    return !this.#model.isTopicMuted(channelId, topic);
  }

  #summarize(groups: readonly UnreadGroup[]): Omit<Summary, 'version'> {
    const sorted = groups
      .map((group) => ({ group, newest: this.#newestOf(group) }))
      .sort((a, b) => b.newest - a.newest);
    return {
      places: sorted.map(({ group }) => group.place),
      count: groups.reduce((sum, { ids }) => sum + ids.size, 0),
    };
  }

  #newestOf({ place, ids }: UnreadGroup): number {
    const key = keyOf(place);
    const version = this.#model.unread.changesOf.of(key).read();
    const known = this.#newest.get(key);
    if (known?.version === version) return known.id;
    let newest = 0;
    for (const id of ids) if (id > newest) newest = id;
    this.#newest.set(key, { version, id: newest });
    return newest;
  }
}

function conversation(place: Place): InboxRow {
  return { kind: 'conversation', key: keyOf(place), place };
}
