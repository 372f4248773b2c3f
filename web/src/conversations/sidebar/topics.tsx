import { isResolved, keyOf, type TopicPlace, topicPlace } from '@heddle/client/model/messages/places.ts';
import { folded } from '@heddle/client/model/people/text-folding.ts';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { type PlaceMemory, useEntryState } from '../../base/list-place.ts';
import { useChangesOf } from '../../base/use-changes.ts';
import { SearchField } from '../../design/search-field.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useCurrent } from '../../shown/current.ts';
import { topicLabel } from '../../shown/names.ts';
import type { FieldKeyboardEvent } from '../field-keys.ts';
import { RowList, type RowListHandle } from '../row-list.tsx';
import { TopicRow } from './conversation-rows.tsx';
import styles from './sidebar.module.css';

type Shown = 'all' | 'open' | 'resolved';

interface Row {
  readonly key: string;
  readonly place: TopicPlace;
}

interface TopicsProps {
  readonly channelId: number;
  /** Puts topics with unread messages first, as of the time when the list opens or changes. */
  readonly hasUnreadFirst?: boolean;
  readonly onEscape?: () => void;
  readonly place?: PlaceMemory;
}

/** All topics of a channel, with a search. */
export function Topics({ channelId, hasUnreadFirst = false, onEscape, place }: TopicsProps): ReactNode {
  const model = useModel();
  const current = useCurrent();
  const { topics } = model.cache;
  useChangesOf(topics.changesOf, channelId);
  useEffect(() => topics.observe(channelId), [topics, channelId]);
  // A page is as the user left it. The left column begins anew each time.
  const ofPage = [useEntryState('text', ''), useEntryState<Shown>('shown', 'all')] as const;
  const ofColumn = [useState(''), useState<Shown>('all')] as const;
  const [[text, setText], [shown, setShown]] = onEscape === undefined ? ofPage : ofColumn;
  const list = useRef<RowListHandle>(null);
  const entries = topics.of(channelId);
  const rows = useMemo(() => {
    const query = folded(text.trim());
    const found = entries
      .filter(({ topic }) => shown === 'all' || isResolved(topic) === (shown === 'resolved'))
      .filter(({ topic }) => query === '' || folded(topicLabel(model, topic).text).includes(query))
      .map(({ topic }): Row => {
        const topicOfRow = topicPlace(channelId, topic);
        return { key: keyOf(topicOfRow), place: topicOfRow };
      });
    if (!hasUnreadFirst) return found;
    const isUnread = (row: Row) =>
      model.unread.of(row.place) !== undefined && !model.isTopicMuted(channelId, row.place.topic);
    return [...found.filter(isUnread), ...found.filter((row) => !isUnread(row))];
  }, [entries, text, shown, channelId, model, hasUnreadFirst]);
  const onKeyDown = (event: FieldKeyboardEvent) => {
    if (event.key === 'Escape' && text === '' && onEscape !== undefined) onEscape();
    else if (event.key === 'ArrowDown' || event.key === 'Enter') list.current?.focusFirst();
    else return event.continuePropagation();
    event.preventDefault();
  };
  const isLoading = topics.stateOf(channelId) === 'loading' && entries.length === 0;
  return (
    <>
      <div className={styles.filter}>
        <SearchField
          label={t('Filter topics')}
          value={text}
          onChange={setText}
          onKeyDown={onKeyDown}
          // In the left column, the user asked for the topics to find one of many. A page begins with its list.
          autoFocus={onEscape !== undefined}
        />
        <Segmented
          label={t('Topics')}
          value={shown}
          onChange={setShown}
          options={[
            { key: 'all', label: t('All') },
            { key: 'open', label: t('Unresolved') },
            { key: 'resolved', label: t('Resolved') },
          ]}
        />
      </div>
      {isLoading && <Skeleton kind="row" count={6} />}
      {topics.stateOf(channelId) === 'failed' && (
        <p className={styles.nothing}>{t('The topics could not be loaded.')}</p>
      )}
      {!isLoading && rows.length === 0 && topics.stateOf(channelId) === 'ready' && (
        <p className={styles.nothing}>{t('No topic matches.')}</p>
      )}
      {rows.length > 0 && (
        <RowList
          label={t('Topics')}
          rows={rows}
          heightOf={() => ROW_HEIGHT_PIXELS}
          handle={list}
          className={styles.list}
          takesKeys={onEscape === undefined}
          {...(place && { place })}
          onKey={(event) => {
            if (event.key !== 'Escape' || onEscape === undefined) return false;
            onEscape();
            return true;
          }}
          renderRow={(row, isActive) => (
            <TopicRow
              place={row.place}
              isActive={isActive}
              isCurrent={row.key === current.key}
              level={onEscape === undefined ? 0 : 1}
            />
          )}
        />
      )}
    </>
  );
}

/** The usual height of a row in pixels. */
const ROW_HEIGHT_PIXELS = 32;
