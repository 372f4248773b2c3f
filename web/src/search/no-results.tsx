import { channelOfNarrow, type Narrow, placeOfNarrow, type Term } from '@heddle/client/model/narrow.ts';
import type { ReactNode } from 'react';
import { channelName, directName, routeOfNarrow, topicLabel } from '../conversations/names.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { MentionIcon, SearchIcon, StarIcon, TopicIcon } from '../design/icons.ts';
import { useApp } from '../shell/app.tsx';
import { t } from '../shell/i18n.ts';
import styles from './search.module.css';
import { openSearch } from './search-store.ts';
import { termText } from './term-texts.ts';

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
  return <NoMatches terms={terms} />;
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

/** A search that found nothing, with what to change. */
function NoMatches({ terms }: { terms: Narrow }): ReactNode {
  const { model, navigation } = useApp();
  const go = (narrow: Narrow) => () => navigation.go(routeOfNarrow(narrow));
  const isRestricted = terms.some(({ operator }) => PLACES.has(operator));
  const removable = terms.length > 1 ? terms : [];
  return (
    <EmptyState
      icon={SearchIcon}
      title={t('No message matches')}
      action={
        <div className={styles.tries}>
          {removable.map((term) => (
            <Button key={JSON.stringify(term)} size="small" onPress={go(terms.filter((one) => one !== term))}>
              {t('Without “{condition}”', { condition: termText(model, term) })}
            </Button>
          ))}
          {!isRestricted && !model.account.isSpectator && (
            <Button size="small" onPress={go([{ operator: 'channels', operand: 'public' }, ...terms])}>
              {t('Search all public channels')}
            </Button>
          )}
          <Button size="small" icon={SearchIcon} onPress={() => openSearch(terms)}>
            {t('Change the search')}
          </Button>
        </div>
      }
    >
      {isRestricted
        ? t('All conditions must hold for a message. Try fewer of them, or other words.')
        : t('This searched the messages that you received. Public channels can have more.')}
    </EmptyState>
  );
}

/** Conditions that already say where to search. */
const PLACES = new Set(['channel', 'channels', 'dm', 'dm-including', 'is', 'id']);
