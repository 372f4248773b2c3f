import { isResolved, keyOf, topicPlace } from '@heddle/client/model/messages/places.ts';
import { folded } from '@heddle/client/model/people/text-folding.ts';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChangesOf } from '../../base/use-changes.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { BackIcon } from '../../design/icons.ts';
import { SearchField } from '../../design/search-field.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { useCurrent } from '../../shown/current.ts';
import { channelName, topicLabel } from '../../shown/names.ts';
import type { FieldKeyboardEvent } from '../field-keys.ts';
import { RowList, type RowListHandle } from '../row-list.tsx';
import { TopicRow } from './conversation-rows.tsx';
import styles from './sidebar.module.css';

type Shown = 'all' | 'open' | 'resolved';

/** All topics of a channel, with a search. It takes the place of the conversations until the user goes back. */
export function TopicsPane({ channelId, onClose }: { channelId: number; onClose: () => void }): ReactNode {
  const model = useModel();
  const current = useCurrent();
  const { topics } = model.cache;
  useChangesOf(model.channels.changesOf, channelId);
  useChangesOf(topics.changesOf, channelId);
  useEffect(() => topics.observe(channelId), [topics, channelId]);
  const [text, setText] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const list = useRef<RowListHandle>(null);
  const entries = topics.of(channelId);
  const rows = useMemo(() => {
    const query = folded(text.trim());
    return entries
      .filter(({ topic }) => shown === 'all' || isResolved(topic) === (shown === 'resolved'))
      .filter(({ topic }) => query === '' || folded(topicLabel(model, topic).text).includes(query))
      .map(({ topic }) => {
        const place = topicPlace(channelId, topic);
        return { key: keyOf(place), place };
      });
  }, [entries, text, shown, channelId, model]);
  const onKeyDown = (event: FieldKeyboardEvent) => {
    if (event.key === 'Escape' && text === '') onClose();
    else if (event.key === 'ArrowDown' || event.key === 'Enter') list.current?.focusFirst();
    else return event.continuePropagation();
    event.preventDefault();
  };
  const isLoading = topics.stateOf(channelId) === 'loading' && entries.length === 0;
  return (
    <>
      <div className={styles.paneHeader}>
        <IconButton
          icon={BackIcon}
          label={t('Back to all conversations')}
          onPress={onClose}
          size="small"
          placement="bottom"
        />
        <ChannelMark channel={model.channels.get(channelId)} />
        <h2 className={styles.paneTitle}>{channelName(model, channelId)}</h2>
      </div>
      <div className={styles.filter}>
        <SearchField
          label={t('Filter topics')}
          value={text}
          onChange={setText}
          onKeyDown={onKeyDown}
          // The user asked for the topics, to find one of many.
          autoFocus
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
      <RowList
        label={t('Topics')}
        rows={rows}
        heightOf={() => 32}
        handle={list}
        className={styles.list}
        onKey={(event) => {
          if (event.key === 'Escape') onClose();
          return event.key === 'Escape';
        }}
        renderRow={({ key, place }, isActive) => (
          <TopicRow place={place} isActive={isActive} isCurrent={key === current.key} />
        )}
      />
    </>
  );
}
