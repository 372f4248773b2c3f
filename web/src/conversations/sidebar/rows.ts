import type { ChannelLists, ChannelSection } from '@heddle/client/model/channels/channel-order.ts';
import type { DirectConversation } from '@heddle/client/model/messages/direct-conversations.ts';
import { type DirectPlace, keyOf, type TopicPlace, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { TopicEntry } from '@heddle/client/model/messages/topics.ts';

/** A row of the sidebar. Keys are unique. */
export type SidebarRow =
  | { readonly kind: 'view'; readonly key: string; readonly fragment: string }
  | {
      readonly kind: 'section';
      readonly key: string;
      readonly section: SectionName;
      readonly isOpen: boolean;
      /** The channels of the section, for its count while it is closed. */
      readonly channelIds: readonly number[];
    }
  | { readonly kind: 'direct'; readonly key: string; readonly place: DirectPlace }
  | { readonly kind: 'more-direct'; readonly key: string; readonly hidden: number; readonly isOpen: boolean }
  | { readonly kind: 'channel'; readonly key: string; readonly channelId: number; readonly isOpen: boolean }
  | { readonly kind: 'topic'; readonly key: string; readonly place: TopicPlace }
  | { readonly kind: 'all-topics'; readonly key: string; readonly channelId: number }
  | { readonly kind: 'loading'; readonly key: string; readonly isStatic: true }
  | {
      readonly kind: 'quiet';
      readonly key: string;
      readonly section: string;
      readonly count: number;
      readonly isOpen: boolean;
    }
  | { readonly kind: 'browse'; readonly key: string }
  | { readonly kind: 'nothing'; readonly key: string; readonly isStatic: true };

/** `views`, `direct`, `pinned`, `other`, or a folder. */
export type SectionName =
  | 'views'
  | 'direct'
  | 'pinned'
  | 'other'
  | { readonly folderId: number; readonly name: string };

export interface SidebarInput {
  /** The fragments of the views in the sidebar. */
  readonly views: readonly string[];
  /** Undefined without an account. */
  readonly direct: readonly DirectConversation[] | undefined;
  readonly lists: ChannelLists;
  /** The open channel, if the user has not joined it. */
  readonly unjoined: number | undefined;
  /** Whether the user sees channels that are not in the list. */
  readonly hasOtherChannels: boolean;
  /** Whether the section with this name is open. */
  readonly isOpen: (section: string, otherwise?: boolean) => boolean;
  /** Whether the topics of the channel are shown. */
  readonly isExpanded: (channelId: number) => boolean;
  readonly topicsOf: (channelId: number) => ShownTopics;
  readonly hasUnread: (key: string) => boolean;
  /** The conversation or channel that the app shows. It is never hidden. */
  readonly currentKey: string | undefined;
  /** Undefined without a filter. */
  readonly filter: SidebarFilter | undefined;
}

export interface SidebarFilter {
  readonly view: (fragment: string) => boolean;
  readonly direct: (place: DirectPlace) => boolean;
  readonly channel: (channelId: number) => boolean;
  /** The topics of the channel that match. */
  readonly topics?: (channelId: number) => readonly string[];
  /** Conversations with people who match, also those that do not exist yet. */
  readonly people?: readonly DirectPlace[];
}

export interface ShownTopics {
  readonly topics: readonly string[];
  /** The list is long enough for a view of its own. */
  readonly hasMore: boolean;
  readonly isLoading: boolean;
}

/** How many direct conversations are shown before the user asks for all. */
const MAX_DIRECT_CONVERSATIONS = 8;

export function sectionKey(section: SectionName): string {
  return typeof section === 'string' ? section : `folder-${section.folderId}`;
}

/** The rows from top to bottom. */
export function sidebarRows(input: SidebarInput): readonly SidebarRow[] {
  const rows = [
    ...viewRows(input),
    ...directRows(input),
    ...input.lists.sections.flatMap((one) => channelRows(one, input)),
    ...unjoinedRows(input),
    ...browseRow(input),
  ];
  return rows.length === 0 ? [{ kind: 'nothing', key: 'nothing', isStatic: true }] : rows;
}

function viewRows({ views, isOpen, filter }: SidebarInput): SidebarRow[] {
  const shown = filter === undefined ? views : views.filter(filter.view);
  const rows = shown.map((fragment): SidebarRow => ({ kind: 'view', key: `view ${fragment}`, fragment }));
  if (filter !== undefined) return rows;
  const open = isOpen('views');
  return [header('views', open), ...(open ? rows : [])];
}

function directRows({ direct, isOpen, hasUnread, currentKey, filter }: SidebarInput): SidebarRow[] {
  if (direct === undefined) return [];
  if (filter !== undefined) {
    const conversations = direct.filter(({ place }) => filter.direct(place)).map(directRow);
    const known = new Set(conversations.map(({ key }) => key));
    const people = (filter.people ?? []).map((place) => directRow({ place })).filter(({ key }) => !known.has(key));
    const found = [...conversations, ...people];
    return found.length === 0 ? [] : [header('direct', true), ...found];
  }
  const isListOpen = isOpen('direct');
  const showsAll = isOpen('all direct', false);
  const isKept = ({ place }: DirectConversation) => keyOf(place) === currentKey || hasUnread(keyOf(place));
  const shown = isListOpen
    ? direct.filter((conversation, index) => showsAll || index < MAX_DIRECT_CONVERSATIONS || isKept(conversation))
    : direct.filter(({ place }) => keyOf(place) === currentKey);
  const hidden = direct.length - shown.length;
  const hasMore = isListOpen && direct.length > MAX_DIRECT_CONVERSATIONS && (hidden > 0 || showsAll);
  const more: SidebarRow = { kind: 'more-direct', key: 'more direct', hidden, isOpen: showsAll };
  return [header('direct', isListOpen), ...shown.map(directRow), ...(hasMore ? [more] : [])];
}

function directRow({ place }: Pick<DirectConversation, 'place'>): SidebarRow {
  return { kind: 'direct', key: keyOf(place), place };
}

function channelRows(section: ChannelSection, input: SidebarInput): SidebarRow[] {
  const { isOpen, filter, currentKey } = input;
  const { active, muted, inactive, folder, kind } = section;
  const name: SectionName =
    kind === 'folder' && folder !== null
      ? { folderId: folder.id, name: folder.name }
      : kind === 'pinned'
        ? 'pinned'
        : 'other';
  const key = sectionKey(name);
  const all = [...active, ...muted, ...inactive];
  const rowsOf = (ids: readonly number[]) => ids.flatMap((id) => channelAndTopics(id, input));
  if (filter !== undefined) {
    const found = all.filter((id) => filter.channel(id) || topicsFound(filter, id).length > 0);
    return found.length === 0 ? [] : [header(name, true, found), ...found.flatMap((id) => foundIn(id, filter, input))];
  }
  const isCurrent = (id: number) => currentKey === `c${id}` || currentKey?.startsWith(`${id}:`) === true;
  if (!isOpen(key)) return [header(name, false, all), ...rowsOf(all.filter(isCurrent))];
  const quiet = [...muted, ...inactive];
  const showsQuiet = active.length === 0 || isOpen(`quiet ${key}`, false);
  const toggle: SidebarRow = {
    kind: 'quiet',
    key: `quiet ${key}`,
    section: key,
    count: quiet.length,
    isOpen: showsQuiet,
  };
  return [
    header(name, true, all),
    ...rowsOf(active),
    ...(quiet.length > 0 && active.length > 0 ? [toggle] : []),
    ...rowsOf(showsQuiet ? quiet : quiet.filter(isCurrent)),
  ];
}

function topicsFound({ topics }: SidebarFilter, channelId: number): readonly string[] {
  return topics?.(channelId) ?? [];
}

/** A channel that the filter finds, or that has topics which it finds. */
function foundIn(channelId: number, filter: SidebarFilter, input: SidebarInput): SidebarRow[] {
  const rows: SidebarRow[] = filter.channel(channelId)
    ? channelAndTopics(channelId, input)
    : [{ kind: 'channel', key: `c${channelId}`, channelId, isOpen: true }];
  const known = new Set(rows.map(({ key }) => key));
  const topics = topicsFound(filter, channelId).map((topic) => topicRow(channelId, topic));
  return [...rows, ...topics.filter(({ key }) => !known.has(key))];
}

/** How many rows at the beginning stay while the others scroll: the views, unless there is a filter. */
export function fixedRows(rows: readonly SidebarRow[]): number {
  const isView = (row: SidebarRow) => row.kind === 'view' || (row.kind === 'section' && row.section === 'views');
  const [first] = rows;
  if (first?.kind !== 'section') return 0;
  const end = rows.findIndex((row) => !isView(row));
  return end < 0 ? rows.length : end;
}

/** A channel that the user only looks at is in the list while it is open. */
function unjoinedRows(input: SidebarInput): SidebarRow[] {
  const { unjoined, filter } = input;
  return unjoined === undefined || filter !== undefined ? [] : channelAndTopics(unjoined, input);
}

function browseRow({ hasOtherChannels, filter }: SidebarInput): SidebarRow[] {
  return hasOtherChannels && filter === undefined ? [{ kind: 'browse', key: 'browse' }] : [];
}

function channelAndTopics(channelId: number, { isExpanded, topicsOf }: SidebarInput): SidebarRow[] {
  const isOpen = isExpanded(channelId);
  const channel: SidebarRow = { kind: 'channel', key: `c${channelId}`, channelId, isOpen };
  if (!isOpen) return [channel];
  const { topics, hasMore, isLoading } = topicsOf(channelId);
  const rows: SidebarRow[] = [channel, ...topics.map((topic) => topicRow(channelId, topic))];
  if (isLoading && topics.length === 0) rows.push({ kind: 'loading', key: `loading ${channelId}`, isStatic: true });
  if (hasMore) rows.push({ kind: 'all-topics', key: `all ${channelId}`, channelId });
  return rows;
}

function topicRow(channelId: number, topic: string): SidebarRow {
  const place = topicPlace(channelId, topic);
  return { kind: 'topic', key: keyOf(place), place };
}

function header(section: SectionName, isOpen: boolean, channelIds: readonly number[] = []): SidebarRow {
  return { kind: 'section', key: `section ${sectionKey(section)}`, section, isOpen, channelIds };
}

/** How many topics of a channel the sidebar shows, and how many if they have unread messages. */
const MAX_TOPICS = 6;
const MAX_UNREAD_TOPICS = 12;

export interface TopicState {
  readonly isMuted: (topic: string) => boolean;
  readonly unread: (topic: string) => number;
  readonly isCurrent: (topic: string) => boolean;
}

/**
 * The topics that the sidebar shows of a channel, without those that the user muted. Unread ones come before others if there is not enough
 * room. The order is that of the entries, so that no row moves when its messages are read. The current topic is never left out.
 * @param entries newest first
 */
export function shownTopics(
  entries: readonly TopicEntry[],
  { isMuted, unread, isCurrent }: TopicState,
): Omit<ShownTopics, 'isLoading'> {
  const candidates = entries.flatMap(({ topic }) => {
    const isOpen = isCurrent(topic);
    return isMuted(topic) && !isOpen ? [] : { topic, isOpen, isUnread: unread(topic) > 0 };
  });
  const unreadCount = candidates.filter(({ isUnread }) => isUnread).length;
  let unreadRoom = MAX_UNREAD_TOPICS;
  let room = Math.max(0, MAX_TOPICS - Math.min(unreadCount, MAX_UNREAD_TOPICS));
  const topics = candidates.flatMap(({ topic, isOpen, isUnread }) => {
    const hasRoom = isUnread ? unreadRoom-- > 0 : room-- > 0;
    return hasRoom || isOpen ? topic : [];
  });
  return { topics, hasMore: entries.length > Math.min(topics.length, MAX_TOPICS) };
}
