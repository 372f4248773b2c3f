import { channelOfNarrow, type Narrow, placeOfNarrow, type Term } from '@heddle/client/model/narrow.ts';
import { type ReactNode, Suspense } from 'react';
import { channelName, directName, topicLabel } from '../conversations/names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { MentionIcon, StarIcon, TopicIcon } from '../design/icons.ts';
import { useApp } from '../shell/app.tsx';
import { t } from '../shell/i18n.ts';
import { lazyComponent } from '../shell/load-code.ts';

const NoMatches = lazyComponent(async () => ({ default: (await import('./no-matches.tsx')).NoMatches }));

/** What a feed without messages says, and what to try. */
export function NoResults({ narrow }: { narrow: Narrow }): ReactNode {
  const { model } = useApp();
  const terms = narrow.filter(({ operator }) => operator !== 'near' && operator !== 'with');
  const place = placeOfNarrow(terms, model.ownId);
  const [first, second] = terms;
  if (place?.kind === 'direct') {
    return (
      <EmptyState
        icon={TopicIcon}
        title={t('No messages with {people} yet', { people: directName(model, place.userIds) })}
      >
        {t('Write the first one below.')}
      </EmptyState>
    );
  }
  if (place?.kind === 'topic') {
    const topic = topicLabel(model, place.topic).text;
    return (
      <EmptyState icon={TopicIcon} title={t('No messages in {topic}', { topic })}>
        {t('Write the first one below. If the topic was moved, search for it.')}
      </EmptyState>
    );
  }
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
