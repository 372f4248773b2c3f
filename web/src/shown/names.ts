import { type Narrow, narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { isResolved, type Place, unresolvedName } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { t } from '../base/i18n.ts';
import type { Route } from '../base/routes.ts';
import { emptyTopicName } from './topic-names.ts';

/** What a topic is called on the screen. */
export interface TopicLabel {
  /** The name without the mark of resolved topics. */
  readonly text: string;
  readonly isResolved: boolean;
  /** The topic has no name of its own. It is shown in italics. */
  readonly isUnnamed: boolean;
}

export function topicLabel(model: Model, topic: string): TopicLabel {
  const bare = unresolvedName(topic);
  return { text: bare === '' ? emptyTopicName(model) : bare, isResolved: isResolved(topic), isUnnamed: bare === '' };
}

export function channelName(model: Model, channelId: number): string {
  return model.channels.get(channelId)?.name ?? t('Unknown channel');
}

export function userName(model: Model, userId: number): string {
  return model.users.get(userId)?.name ?? t('Unknown user');
}

/** The names of the other participants, or the own name in the conversation with oneself. */
export function directName(model: Model, userIds: readonly number[]): string {
  if (userIds.length === 0) return t('{name} (you)', { name: userName(model, model.ownId) });
  return userIds.map((id) => userName(model, id)).join(', ');
}

/** `design › logo`, or the names of people. */
export function placeName(model: Model, place: Place): string {
  if (place.kind === 'direct') return directName(model, place.userIds);
  return `${channelName(model, place.channelId)} › ${topicLabel(model, place.topic).text}`;
}

export function routeOfPlace(model: Model, place: Place): Route {
  return routeOfNarrow(narrowOfPlace(place, model.ownId));
}

export function routeOfNarrow(narrow: Narrow): Route {
  return { view: 'narrow', narrow };
}

export function routeOfChannel(channelId: number): Route {
  return routeOfNarrow([{ operator: 'channel', operand: channelId }]);
}
