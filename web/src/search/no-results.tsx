import {
  channelOfNarrow,
  conditionsOf,
  type Narrow,
  placeOfNarrow,
  type Term,
} from '@heddle/client/model/messages/narrow.ts';
import {
  isResolved,
  type Place,
  resolvedName,
  type TopicPlace,
  topicKey,
  topicPlace,
  unresolvedName,
} from '@heddle/client/model/messages/places.ts';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { lazyComponent } from '../base/load-code.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { MentionIcon, StarIcon, TopicIcon } from '../design/icons.ts';
import { channelName, directName, routeOfPlace, topicLabel } from '../shown/names.ts';
import { permissionToWrite } from '../shown/writing-refusals.ts';

const NoMatches = lazyComponent(async () => ({ default: (await import('./no-matches.tsx')).NoMatches }));

/** What a feed without messages says, and what to try. */
export function NoResults({ narrow }: { narrow: Narrow }): ReactNode {
  const { model } = useApp();
  const terms = conditionsOf(narrow);
  const place = placeOfNarrow(terms, model.ownId);
  const [first, second] = terms;
  if (place !== undefined) return <NothingWritten place={place} />;
  if (first === undefined || isCombined(first, second)) {
    return (
      <EmptyState icon={TopicIcon} title={t('No messages yet')}>
        {t('Messages appear here as soon as somebody writes one.')}
      </EmptyState>
    );
  }
  const channelId = channelOfNarrow(terms);
  if (second === undefined && channelId !== undefined) {
    return (
      <EmptyState
        icon={TopicIcon}
        title={t('No messages in #{channel} yet', { channel: channelName(model, channelId) })}
      >
        {t('Start the first conversation.')}
      </EmptyState>
    );
  }
  if (second === undefined && first.operator === 'is' && !first.negated)
    return <NothingThere state={String(first.operand)} />;
  return (
    <Suspense fallback={null}>
      <NoMatches terms={terms} />
    </Suspense>
  );
}

/** A conversation without messages. */
function NothingWritten({ place }: { place: Place }): ReactNode {
  const { model } = useApp();
  useChanges(model.permissions.changes);
  const canWrite = permissionToWrite(model, place).allowed;
  if (place.kind === 'topic') return <NothingInTopic place={place} canWrite={canWrite} />;
  return (
    <EmptyState
      icon={TopicIcon}
      title={t('No messages with {people} yet', { people: directName(model, place.userIds) })}
    >
      {canWrite && t('Write the first one below.')}
    </EmptyState>
  );
}

/** To mark a topic as resolved changes its name. So its messages can be under the other name. */
function NothingInTopic({ place, canWrite }: { place: TopicPlace; canWrite: boolean }): ReactNode {
  const { model, navigation } = useApp();
  const { channelId, topic } = place;
  const { topics } = model.cache;
  useEffect(() => topics.observe(channelId), [topics, channelId]);
  useChangesOf(topics.changesOf, channelId);
  const otherName = isResolved(topic) ? unresolvedName(topic) : resolvedName(topic);
  const other = topics.of(channelId).find((entry) => topicKey(entry.topic) === topicKey(otherName));
  const title = t('No messages in {topic}', { topic: topicLabel(model, topic).text });
  if (other === undefined) {
    return (
      <EmptyState icon={TopicIcon} title={title}>
        {canWrite
          ? t('Write the first one below. If the topic was moved, search for it.')
          : t('If the topic was moved, search for it.')}
      </EmptyState>
    );
  }
  const open = () => navigation.go(routeOfPlace(model, topicPlace(channelId, other.topic)));
  return (
    <EmptyState
      icon={TopicIcon}
      title={title}
      action={<Button onPress={open}>{t('Open “{topic}”', { topic: other.topic })}</Button>}
    >
      {isResolved(other.topic)
        ? t('The topic was marked as resolved.')
        : t('The topic is no longer marked as resolved.')}
    </EmptyState>
  );
}

function isCombined(first: Term, second: Term | undefined): boolean {
  return second === undefined && first.operator === 'is' && first.operand === 'muted' && first.negated === true;
}

/** A view such as the starred messages, without messages. */
function NothingThere({ state }: { state: string }): ReactNode {
  switch (state) {
    case 'starred':
      return (
        <EmptyState icon={StarIcon} title={t('No starred messages')}>
          {t('Star a message to find it here again.')}
        </EmptyState>
      );
    case 'mentioned':
      return (
        <EmptyState icon={MentionIcon} title={t('Nobody has mentioned you yet')}>
          {t('Messages that mention you, your groups or everybody appear here.')}
        </EmptyState>
      );
    case 'dm':
      return (
        <EmptyState icon={TopicIcon} title={t('No direct messages yet')}>
          {t('Choose a person, and write to them.')}
        </EmptyState>
      );
    case 'unread':
      return <EmptyState icon={TopicIcon} title={t('You have read everything.')} />;
    default:
      return <EmptyState icon={TopicIcon} title={t('No messages here yet')} />;
  }
}
