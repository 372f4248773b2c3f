/** A user's unread messages in one topic or one direct conversation. */
export interface UnreadGroup {
  readonly place: { readonly channelId: number; readonly topic: string } | { readonly participants: readonly number[] };
  /** Ascending, as JSON. There can be tens of thousands, so they are usually never parsed. */
  readonly messageIds: string;
}

export interface Unread {
  /** The number of listed messages that are not muted. */
  readonly count: number;
  /** Ordered by their oldest message. */
  readonly groups: readonly UnreadGroup[];
  /** Those that mention the user, directly or as one of many; ascending. */
  readonly mentions: readonly number[];
  /** Whether older unread messages are left out. */
  readonly isCut: boolean;
}

/** The key of a topic is equal for all of its spellings. */
export type TopicMark = readonly [channelId: number, key: string, isMuted: boolean];

/** The unread messages of a topic in one of its spellings, or of a conversation. */
export interface GroupRow {
  /** A channel's id, or the negative id of a conversation. */
  readonly place: number;
  readonly topic: string;
  readonly key: string;
  readonly participants: number[] | null;
  /** In PostgreSQL's notation. */
  readonly ids: string;
  readonly mentions: string | null;
}

interface Muted {
  /** Channels that the user has muted. */
  readonly muted: readonly number[];
  /** Topics that differ from their channel: muted topics, and unmuted or followed topics in muted channels. */
  readonly topics: readonly TopicMark[];
}

/** A list of ids, ascending, separated by commas. */
interface IdList {
  readonly text: string;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** Merges the rows of each topic. The newest message decides the spelling that clients see. */
export function unreadOf(rows: readonly GroupRow[], { muted, topics }: Muted): Unread {
  const mutedChannels = new Set(muted);
  const mutedTopics = new Map(topics.map(([channelId, key, isMuted]) => [`${channelId}/${key}`, isMuted]));
  const total = (of: readonly { readonly ids: IdList }[]) => of.reduce((sum, { ids }) => sum + ids.count, 0);
  const listedRows = rows.map((row) => ({ row, ids: listed([row.ids]) }));
  const groups = [...Map.groupBy(listedRows, ({ row }) => `${row.place}/${row.key}`)].map(([key, parts]) => {
    const newest = parts.reduce((one, other) => (one.ids.last > other.ids.last ? one : other));
    const ids = parts.length === 1 ? newest.ids : listed(parts.map(({ row }) => row.ids));
    const isMuted = mutedTopics.get(key) ?? mutedChannels.has(newest.row.place);
    return { ids, isMuted, place: placeOf(newest.row), messageIds: `[${ids.text}]` };
  });
  return {
    count: total(groups.filter(({ isMuted }) => !isMuted)),
    groups: groups.sort((a, b) => a.ids.first - b.ids.first),
    mentions: JSON.parse(`[${listed(rows.flatMap(({ mentions }) => mentions ?? [])).text}]`),
    isCut: false,
  };
}

function placeOf({ place, topic, participants }: GroupRow): UnreadGroup['place'] {
  return place < 0 ? { participants: participants ?? [] } : { channelId: place, topic };
}

/** Joins PostgreSQL's arrays of ids. Usually they are in order already, which this detects without parsing them. */
function listed(arrays: readonly string[]): IdList {
  const text = arrays.map((array) => array.slice(1, -1)).join();
  let [count, last, id] = [1, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== COMMA_CODE) {
      id = id * 10 + (code - ZERO_CODE);
      continue;
    }
    if (id < last) return sorted(text);
    count += 1;
    last = id;
    id = 0;
  }
  return id < last ? sorted(text) : { text, count, first: Number.parseInt(text, 10), last: id };
}

const COMMA_CODE = 44;
const ZERO_CODE = 48;

function sorted(text: string): IdList {
  const ids = text
    .split(',')
    .map(Number)
    .sort((a, b) => a - b);
  return { text: ids.join(), count: ids.length, first: ids[0] ?? 0, last: ids.at(-1) ?? 0 };
}
