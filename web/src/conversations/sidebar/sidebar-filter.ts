import { knownTopics } from '@heddle/client/model/messages/known-topics.ts';
import { directPlace } from '@heddle/client/model/messages/places.ts';
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

/** The known topics that match, by channel. */
function topicsMatching(model: Model, matches: (name: string) => boolean): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const { channelId, topic } of knownTopics(model)) {
    const here = found.get(channelId) ?? [];
    if (here.length >= MAX_TOPICS_PER_CHANNEL || !matches(topicLabel(model, topic).text)) continue;
    found.set(channelId, here);
    here.push(topic);
  }
  return found;
}
