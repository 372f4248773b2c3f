import { topicKey, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { Route } from '../base/routes.ts';
import { routeOfChannel, routeOfPlace } from '../shown/names.ts';

/** The values of the setting `web_channel_default_view`. */
const OPENS = { newestTopic: 1, listOfTopics: 3, unreadTopic: 4 } as const;

/** The topic of the notices of the server about the channel. */
const NOTICES_TOPIC = topicKey('channel events');

/** Whether a channel opens at a topic, so that its topics must be known before. */
export function opensTopic({ account }: Model): boolean {
  const view = account.settings.web_channel_default_view;
  return view === OPENS.newestTopic || view === OPENS.unreadTopic;
}

/**
 * Where a click on a channel leads: to its feed or one of its topics, as the user chose. To the feed before people begin a
 * topic, because a newcomer should begin one and not write among the server's notices.
 */
export function routeOfChannelClick(model: Model, channelId: number): Route {
  if (!opensTopic(model)) return routeOfChannel(channelId);
  const all = model.cache.topics.of(channelId);
  if (all.every(({ topic }) => topicKey(topic) === NOTICES_TOPIC)) return routeOfChannel(channelId);
  const topics = all.filter(({ topic }) => !model.isTopicMuted(channelId, topic));
  const isUnread = ({ topic }: { topic: string }) => model.unread.of(topicPlace(channelId, topic)) !== undefined;
  const wantsUnread = model.account.settings.web_channel_default_view === OPENS.unreadTopic;
  const chosen = (wantsUnread ? topics.find(isUnread) : undefined) ?? topics[0];
  return chosen === undefined ? routeOfChannel(channelId) : routeOfPlace(model, topicPlace(channelId, chosen.topic));
}

/** Whether a click on a channel shows the list of its topics instead of messages. */
export function opensListOfTopics({ account }: Model): boolean {
  return account.settings.web_channel_default_view === OPENS.listOfTopics;
}
