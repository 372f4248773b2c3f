import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { knownTopics } from '@heddle/client/model/messages/known-topics.ts';
import { keyOf, type Place, type TopicPlace } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { folded } from '@heddle/client/model/people/text-folding.ts';
import { viewsOf } from '../conversations/sidebar/views.ts';
import { placeName, topicLabel } from '../shown/names.ts';
import type { Command } from './palette-commands.ts';
import { bestOf, type Query, queryOf, scoreOf } from './palette-match.ts';

/** Where the palette can go, or what it can do. */
export type Entry =
  | { readonly kind: 'place'; readonly key: string; readonly place: Place }
  | { readonly kind: 'channel'; readonly key: string; readonly channel: ChannelRecord }
  | { readonly kind: 'person'; readonly key: string; readonly userId: number }
  | { readonly kind: 'view'; readonly key: string; readonly fragment: string; readonly name: string }
  | { readonly kind: 'command'; readonly key: string; readonly command: Command };

const MAX_ENTRIES = 30;
const MAX_ENTRIES_PER_KIND = 8;

/** Conversations in which the user takes part matter most, settings least. */
const WEIGHTS: Readonly<Record<Entry['kind'], number>> = { channel: 8, person: 6, place: 4, view: 5, command: 0 };

/**
 * What the palette offers for a text, the best one first. People are found by an index. Everything else is compared: 1,000
 * channels and some hundred topics.
 */
export function paletteEntries(model: Model, text: string, commands: readonly Command[]): readonly Entry[] {
  const query = queryOf(text);
  if (query.text === '') return firstEntries(model);
  const found = [
    ...channels(model, query),
    ...people(model, text, query),
    ...topics(model, query),
    ...views(model, query),
    ...matchingCommands(commands, query),
  ];
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_ENTRIES)
    .map(({ entry }) => entry);
}

/** Without a text: where the user was or is wanted last. */
function firstEntries(model: Model): readonly Entry[] {
  const places = new Map<string, Place>();
  for (const { place } of model.unread.groups()) {
    if (places.size < MAX_ENTRIES_PER_KIND && place.kind === 'direct') places.set(keyOf(place), place);
  }
  for (const { place } of model.cache.recent.list().slice(0, 2 * MAX_ENTRIES_PER_KIND)) {
    if (places.size < 2 * MAX_ENTRIES_PER_KIND) places.set(keyOf(place), place);
  }
  for (const { place } of model.directConversations.list().slice(0, MAX_ENTRIES_PER_KIND)) {
    if (places.size < MAX_ENTRIES_PER_KIND) places.set(keyOf(place), place);
  }
  const recent = [...places].map(([key, place]): Entry => ({ kind: 'place', key, place }));
  const all = viewsOf(model).map(
    ({ fragment, name }): Entry => ({ kind: 'view', key: `view ${fragment}`, fragment, name }),
  );
  return [...recent, ...all];
}

interface Found {
  readonly entry: Entry;
  readonly score: number;
}

function weighted(entry: Entry, score: number): Found {
  return { entry, score: score + WEIGHTS[entry.kind] };
}

function channels(model: Model, query: Query): Found[] {
  const rank = (channel: ChannelRecord) => {
    if (channel.isArchived) return undefined;
    const score = scoreOf(query, folded(channel.name));
    return score === undefined ? undefined : score + (channel.isSubscribed ? 3 : 0);
  };
  return bestOf(model.channels.all.values(), MAX_ENTRIES_PER_KIND, rank).map(({ item: channel, score }) =>
    weighted({ kind: 'channel', key: `c${channel.id}`, channel }, score),
  );
}

function people(model: Model, text: string, query: Query): Found[] {
  const users = model.users.search(text, { limit: MAX_ENTRIES_PER_KIND });
  return users.map(({ id, name, isActive }, index) => {
    const score = (scoreOf(query, folded(name)) ?? 20) - index / 10 - (isActive ? 0 : 30);
    return weighted({ kind: 'person', key: `p${id}`, userId: id }, score);
  });
}

/** The topics that the client knows without a request. */
function topics(model: Model, query: Query): Found[] {
  const rank = (place: TopicPlace) =>
    scoreOf(query, folded(topicLabel(model, place.topic).text)) ?? scoreOf(query, folded(placeName(model, place)));
  return bestOf(knownTopics(model), MAX_ENTRIES_PER_KIND, rank).map(({ item: place, score }) =>
    weighted({ kind: 'place', key: keyOf(place), place }, score),
  );
}

function views(model: Model, query: Query): Found[] {
  return bestOf(viewsOf(model), MAX_ENTRIES_PER_KIND, ({ name }) => scoreOf(query, folded(name))).map(
    ({ item, score }) =>
      weighted({ kind: 'view', key: `view ${item.fragment}`, fragment: item.fragment, name: item.name }, score),
  );
}

function matchingCommands(commands: readonly Command[], query: Query): Found[] {
  return bestOf(commands, MAX_ENTRIES_PER_KIND, ({ label }) => scoreOf(query, folded(label))).map(
    ({ item: command, score }) => weighted({ kind: 'command', key: `command ${command.id}`, command }, score),
  );
}
