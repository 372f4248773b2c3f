import type { EventOfType, InitialState } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';
import type { MessageRecord } from './message-record.ts';
import { directPlace, keyOf, type Place, topicPlace } from './places.ts';

/** The unread messages of one conversation. */
export interface UnreadGroup {
  readonly place: Place;
  readonly ids: ReadonlySet<number>;
  /** Those that mention the user. */
  readonly mentions: ReadonlySet<number>;
}

/** The unread messages of a channel. */
export interface ChannelUnread {
  /** Those in topics that the user hears of. */
  readonly count: number;
  /** Those in muted topics. */
  readonly mutedCount: number;
  /** Mentions, muted or not. */
  readonly mentions: number;
}

interface Group {
  readonly place: Place;
  readonly ids: Set<number>;
  readonly mentions: Set<number>;
  isMuted: boolean;
}

interface Totals {
  count: number;
  mutedCount: number;
  mentions: number;
  readonly groups: Map<string, Group>;
}

const NONE: ChannelUnread = { count: 0, mutedCount: 0, mentions: 0 };

/**
 * The unread messages of the user, by conversation. Invariants:
 * - Each unread message is in one group. Empty groups do not exist.
 * - Counts of channels and the total are sums of the groups. They are maintained with each change, never computed anew.
 */
export class Unread {
  readonly #ownId: number;
  readonly #isTopicMuted: (channelId: number, topic: string) => boolean;
  readonly #groups = new Map<string, Group>();
  readonly #groupOf = new Map<number, Group>();
  readonly #channels = new Map<number, Totals>();
  /** Messages in direct conversations. */
  #direct = 0;
  #unmuted = 0;
  /** Whether the server left out the oldest unread messages, because there are too many. */
  oldOnesMissing = false;
  /** Any change. */
  readonly changes = new Subject();
  /** Changes of a conversation (its key) or a channel (`c` and its id). */
  readonly changesOf = new KeyedSubject<string>();

  constructor(state: InitialState, ownId: number, isTopicMuted: (channelId: number, topic: string) => boolean) {
    this.#ownId = ownId;
    this.#isTopicMuted = isTopicMuted;
    const unread = state.unread_msgs;
    if (unread === undefined) return;
    const mentions = new Set(unread.mentions);
    const add = (place: Place, ids: readonly number[]) => {
      for (const id of ids) this.#add(id, place, mentions.has(id));
    };
    for (const one of unread.streams) add(topicPlace(one.stream_id, one.topic), one.unread_message_ids);
    for (const one of unread.pms) add(directPlace([one.other_user_id], ownId), one.unread_message_ids);
    for (const one of unread.huddles) {
      add(directPlace(one.user_ids_string.split(',').map(Number), ownId), one.unread_message_ids);
    }
    this.oldOnesMissing = unread.old_unreads_missing;
  }

  /** Unread messages that the user is notified of: direct ones, and those in topics that are not muted. */
  get count(): number {
    return this.#unmuted;
  }

  get directCount(): number {
    return this.#direct;
  }

  /** All mentions, also in muted topics. */
  get mentionCount(): number {
    let sum = 0;
    for (const { mentions } of this.#groups.values()) sum += mentions.size;
    return sum;
  }

  has(id: number): boolean {
    return this.#groupOf.has(id);
  }

  ofChannel(channelId: number): ChannelUnread {
    return this.#channels.get(channelId) ?? NONE;
  }

  of(place: Place): UnreadGroup | undefined {
    return this.#groups.get(keyOf(place));
  }

  groupsOfChannel(channelId: number): Iterable<UnreadGroup> {
    return this.#channels.get(channelId)?.groups.values() ?? [];
  }

  groups(): Iterable<UnreadGroup> {
    return this.#groups.values();
  }

  /** The channels with unread messages. */
  channelIds(): Iterable<number> {
    return this.#channels.keys();
  }

  /** A message arrived, or became unread. */
  receive(
    record: Pick<MessageRecord, 'id' | 'place' | 'isRead' | 'isMentioned' | 'isChannelMentioned' | 'isTopicMentioned'>,
  ) {
    if (record.isRead) return;
    this.#add(record.id, record.place, record.isMentioned || record.isChannelMentioned || record.isTopicMentioned);
  }

  /** Removes messages that were read or deleted, or that the user cannot read any more. */
  remove(ids: Iterable<number>): void {
    for (const id of ids) this.#remove(id);
  }

  applyFlags(event: EventOfType<'update_message_flags'>): void {
    if (event.flag !== 'read') return;
    if (event.op === 'add') {
      this.remove(event.all ? [...this.#groupOf.keys()] : event.messages);
      return;
    }
    for (const [id, details] of Object.entries(event.message_details ?? {})) {
      const place =
        details.type === 'stream'
          ? topicPlace(details.stream_id, details.topic)
          : directPlace(details.user_ids, this.#ownId);
      this.#remove(Number(id));
      this.#add(Number(id), place, details.mentioned ?? false);
    }
  }

  /** Messages were edited or moved. */
  applyUpdate(event: EventOfType<'update_message'>): void {
    const group = this.#groupOf.get(event.message_id);
    if (group !== undefined) {
      const isMentioned = MENTIONS.some((flag) => event.flags.some((one) => one === flag));
      if (group.mentions.has(event.message_id) !== isMentioned) {
        this.#remove(event.message_id);
        this.#add(event.message_id, group.place, isMentioned);
      }
    }
    if (event.new_stream_id === undefined && event.subject === undefined) return;
    for (const id of event.message_ids) this.#move(id, event.new_stream_id, event.subject);
  }

  /** Messages in these channels are not readable any more. */
  loseChannels(channelIds: ReadonlySet<number>): void {
    for (const channelId of channelIds) {
      const ids = [...(this.#channels.get(channelId)?.groups.values() ?? [])].flatMap((group) => [...group.ids]);
      this.remove(ids);
    }
  }

  /** The mute of a topic changed, or without `topic` that of the channel. */
  mutesChanged(channelId: number): void {
    const totals = this.#channels.get(channelId);
    if (totals === undefined) return;
    for (const group of totals.groups.values()) {
      const { place, ids } = group;
      if (place.kind !== 'topic') continue;
      const isMuted = this.#isTopicMuted(channelId, place.topic);
      if (isMuted === group.isMuted) continue;
      group.isMuted = isMuted;
      const shift = isMuted ? -ids.size : ids.size;
      totals.count += shift;
      totals.mutedCount -= shift;
      this.#unmuted += shift;
      this.#changed(group);
    }
  }

  /** The content of all groups in comparable form. */
  plain(): object {
    const groups = [...this.#groups].map(([key, { ids, mentions }]) => ({
      key,
      ids: [...ids].sort((a, b) => a - b),
      mentions: [...mentions].sort((a, b) => a - b),
    }));
    return { count: this.count, groups: groups.sort((a, b) => a.key.localeCompare(b.key)) };
  }

  #move(id: number, channelId: number | undefined, topic: string | undefined): void {
    const group = this.#groupOf.get(id);
    if (group === undefined || group.place.kind !== 'topic') return;
    const place = topicPlace(channelId ?? group.place.channelId, topic ?? group.place.topic);
    const isMentioned = group.mentions.has(id);
    this.#remove(id);
    this.#add(id, place, isMentioned);
  }

  #add(id: number, place: Place, isMentioned: boolean): void {
    if (this.#groupOf.has(id)) return;
    const group = this.#groupAt(place);
    group.ids.add(id);
    if (isMentioned) group.mentions.add(id);
    this.#groupOf.set(id, group);
    this.#count(group, 1, isMentioned ? 1 : 0);
  }

  #remove(id: number): void {
    const group = this.#groupOf.get(id);
    if (group === undefined) return;
    const wasMentioned = group.mentions.delete(id);
    group.ids.delete(id);
    this.#groupOf.delete(id);
    this.#count(group, -1, wasMentioned ? -1 : 0);
    if (group.ids.size > 0) return;
    const key = keyOf(group.place);
    this.#groups.delete(key);
    if (group.place.kind !== 'topic') return;
    const totals = this.#channels.get(group.place.channelId);
    totals?.groups.delete(key);
    if (totals?.groups.size === 0) this.#channels.delete(group.place.channelId);
  }

  #groupAt(place: Place): Group {
    const key = keyOf(place);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const isMuted = place.kind === 'topic' && this.#isTopicMuted(place.channelId, place.topic);
    const group: Group = { place, ids: new Set(), mentions: new Set(), isMuted };
    this.#groups.set(key, group);
    if (place.kind === 'topic') {
      const totals = this.#channels.get(place.channelId) ?? { ...NONE, groups: new Map() };
      totals.groups.set(key, group);
      this.#channels.set(place.channelId, totals);
    }
    return group;
  }

  #count(group: Group, change: number, mentions: number): void {
    const { place, isMuted } = group;
    if (!isMuted) this.#unmuted += change;
    if (place.kind === 'direct') this.#direct += change;
    else {
      const totals = this.#channels.get(place.channelId);
      if (totals !== undefined) {
        if (isMuted) totals.mutedCount += change;
        else totals.count += change;
        totals.mentions += mentions;
      }
    }
    this.#changed(group);
  }

  #changed({ place }: Group): void {
    this.changes.changed();
    this.changesOf.changed(keyOf(place));
    if (place.kind === 'topic') this.changesOf.changed(`c${place.channelId}`);
  }
}

const MENTIONS = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned'];
