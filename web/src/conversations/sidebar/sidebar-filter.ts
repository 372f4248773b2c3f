import { directPlace, type Place, topicKey } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { channelName, directName, topicLabel } from '../../shown/names.ts';
import type { SidebarFilter } from './rows.ts';
import { viewsOf } from './views.ts';

const MAX_TOPICS_PER_CHANNEL = 6;
const MAX_PEOPLE = 8;

/** What the field above the sidebar finds: views, conversations, channels, people, and topics that the app knows. */
export function filterOf(model: Model, text: string): SidebarFilter {
  const matches = matcherOf(text);
  const names = new Map(viewsOf(model).map(({ fragment, name }) => [fragment, name]));
  const topics = topicsMatching(model, matches);
  return {
    view: (fragment) => matches(names.get(fragment) ?? ''),
    direct: ({ userIds }) => matches(directName(model, userIds)),
    channel: (id) => matches(channelName(model, id)),
    topics: (id) => topics.get(id) ?? [],
    people: model.users
      .search(text, { limit: MAX_PEOPLE, accepts: ({ isActive }) => isActive })
      .map(({ id }) => directPlace([id], model.ownId)),
  };
}

/** Topics by channel: those of recent and unread conversations, then those of channels whose topics are loaded. */
function topicsMatching(model: Model, matches: (name: string) => boolean): ReadonlyMap<number, readonly string[]> {
  const { recent, topics } = model.cache;
  const found = new Map<number, Map<string, string>>();
  const add = (channelId: number, topic: string) => {
    const here = found.get(channelId) ?? new Map<string, string>();
    if (here.size >= MAX_TOPICS_PER_CHANNEL || here.has(topicKey(topic))) return;
    if (!matches(topicLabel(model, topic).text)) return;
    found.set(channelId, here.set(topicKey(topic), topic));
  };
  const addPlace = ({ place }: { readonly place: Place }) => {
    if (place.kind === 'topic') add(place.channelId, place.topic);
  };
  for (const conversation of recent.list()) addPlace(conversation);
  for (const group of model.unread.groups()) addPlace(group);
  for (const { id, isSubscribed } of model.channels.all.values()) {
    if (isSubscribed) for (const { topic } of topics.of(id)) add(id, topic);
  }
  return new Map([...found].map(([id, here]) => [id, [...here.values()]]));
}
