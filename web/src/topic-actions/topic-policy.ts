import { updateUserTopic } from '@heddle/client/calls/operations.ts';
import type { TopicPlace } from '@heddle/client/model/messages/places.ts';
import { policyNumber, type TopicPolicy } from '@heddle/client/model/own/topic-policies.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { problemText } from '../shown/problem-text.ts';

/** Follows, mutes or unmutes a topic: at once here, and taken back if the server refuses it. */
export async function setTopicPolicy(app: App, place: TopicPlace, policy: TopicPolicy): Promise<void> {
  const { model, connection } = app;
  const { channelId, topic } = place;
  const before = model.topicPolicies.policyOf(channelId, topic);
  apply(app, place, policy);
  try {
    const visibility_policy = policyNumber(policy) as 0 | 1 | 2 | 3;
    await updateUserTopic(connection, { stream_id: channelId, topic, visibility_policy }, { retries: 2 });
  } catch (error) {
    if (model.topicPolicies.policyOf(channelId, topic) === policy) apply(app, place, before);
    const text = t('The topic was not changed. {problem}', { problem: problemText(error) });
    toasts.show({ text, kind: 'error', key: 'topic policy' });
  }
}

function apply({ model }: App, { channelId, topic }: TopicPlace, policy: TopicPolicy): void {
  model.apply({
    id: -1,
    type: 'user_topic',
    stream_id: channelId,
    topic_name: topic,
    last_updated: Math.floor(Date.now() / 1000),
    visibility_policy: policyNumber(policy),
  });
}

/** Mutes the topic, or hears of it again. The notice says so, because the topic itself looks the same. */
export function toggleMuted(app: App, place: TopicPlace): void {
  const isMuted = app.model.isTopicMuted(place.channelId, place.topic);
  change(
    app,
    place,
    policyAfterMute(app, place),
    isMuted ? t('The topic is no longer muted') : t('The topic is muted'),
  );
}

/** Follows the topic, or ends that. */
export function toggleFollowed(app: App, place: TopicPlace): void {
  if (app.model.topicPolicies.isFollowed(place.channelId, place.topic)) {
    change(app, place, 'inherit', t('You no longer follow the topic'));
  } else change(app, place, 'followed', t('You follow the topic'));
}

function change(app: App, place: TopicPlace, policy: TopicPolicy, text: string): void {
  const before = app.model.topicPolicies.policyOf(place.channelId, place.topic);
  const undo = { label: t('Undo'), run: () => void setTopicPolicy(app, place, before) };
  toasts.show({ text, action: undo, key: 'topic policy' });
  void setTopicPolicy(app, place, policy);
}

/** The policy after the user mutes the topic, or hears of it again. */
function policyAfterMute({ model }: Pick<App, 'model'>, { channelId, topic }: TopicPlace): TopicPolicy {
  if (!model.isTopicMuted(channelId, topic)) {
    // In a muted channel, a topic is muted again by inheriting.
    return model.channels.get(channelId)?.settings?.isMuted ? 'inherit' : 'muted';
  }
  return model.channels.get(channelId)?.settings?.isMuted ? 'unmuted' : 'inherit';
}
