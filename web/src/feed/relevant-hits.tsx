import { conditionsOf, type Narrow, narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import type { RelevantHits } from '@heddle/client/model/messages/relevant-hits.ts';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useApp, useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatDateTime } from '../base/i18n-formats.ts';
import { useShortcut } from '../base/keyboard-react.tsx';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { ErrorIcon } from '../design/icons.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { NoResults } from '../search/no-results.tsx';
import { ChannelMark } from '../shown/channel-mark.tsx';
import { channelName, directName, routeOfNarrow } from '../shown/names.ts';
import { RouteLink } from '../shown/route-link.tsx';
import { TopicName } from '../shown/topic-name.tsx';
import { useMessageShortcuts, useTopicShortcuts } from './actions/index.ts';
import { MessageRow } from './message-row.tsx';
import styles from './relevant-hits.module.css';
import { feedShortcuts } from './selection.ts';

/** The results of a search, the most relevant first. Looking at them marks nothing as read, as in every search. */
export default function RelevantHitsView({ narrow }: { readonly narrow: Narrow }): ReactNode {
  const { cache } = useModel();
  const key = JSON.stringify(conditionsOf(narrow));
  const [hits, setHits] = useState<RelevantHits>();
  useEffect(() => {
    const made = cache.relevantHits(JSON.parse(key) as Narrow);
    setHits(made);
    void made.load();
    return () => made.drop();
  }, [cache, key]);
  return hits === undefined ? <Loading /> : <Loaded hits={hits} />;
}

function Loading(): ReactNode {
  return (
    <div className={styles.scroller} aria-busy="true" data-list>
      <Skeleton kind="message" count={8} />
    </div>
  );
}

function Loaded({ hits }: { readonly hits: RelevantHits }): ReactNode {
  useChanges(hits.changes);
  if (hits.state === 'failed') {
    return (
      <EmptyState
        icon={ErrorIcon}
        title={t('These messages cannot be shown')}
        action={<Button onPress={() => void hits.load()}>{t('Try again')}</Button>}
      />
    );
  }
  if (hits.state === 'loading') return <Loading />;
  return hits.ids.length === 0 ? <NoResults narrow={hits.narrow} /> : <List ids={hits.ids} />;
}

function List({ ids }: { readonly ids: readonly number[] }): ReactNode {
  const { navigation } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<number>();
  const rowOf = useCallback(
    (id: number | string) => scroller.current?.querySelector<HTMLElement>(`[data-message-id="${id}"]`),
    [],
  );
  const move = (step: 1 | -1): boolean => {
    const index = selected === undefined ? (step === 1 ? 0 : -1) : ids.indexOf(selected) + step;
    const next = ids[index];
    if (next === undefined) return false;
    setSelected(next);
    rowOf(next)?.focus();
    return true;
  };
  useShortcut(feedShortcuts.next, () => move(1));
  useShortcut(feedShortcuts.previous, () => move(-1));
  useMessageShortcuts(selected, () => undefined);
  useTopicShortcuts(selected, () => undefined);
  // Back leads to the message that the user looked at.
  useLayoutEffect(() => {
    const place = navigation.position();
    if (place === undefined || scroller.current === null) return;
    const row = rowOf(place.rowId);
    if (row) scroller.current.scrollTop += row.getBoundingClientRect().top - place.offset;
  }, [navigation, rowOf]);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const savePlace = () => {
    frame.current = 0;
    const list = scroller.current;
    if (list === null) return;
    const { top } = list.getBoundingClientRect();
    const rows = [...list.querySelectorAll<HTMLElement>('[data-message-id]')];
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top);
    if (first === undefined) return;
    navigation.savePosition({ rowId: Number(first.dataset.messageId), offset: first.getBoundingClientRect().top });
  };
  /** At most once per frame. */
  const onScroll = () => {
    if (frame.current === 0) frame.current = requestAnimationFrame(savePlace);
  };
  return (
    <div ref={scroller} className={styles.scroller} onScroll={onScroll} data-list>
      <ol className={styles.list} aria-label={t('Messages')}>
        {ids.map((id) => (
          <li key={id}>
            <Where id={id} />
            <MessageRow id={id} showsSender isSelected={selected === id} onSelect={setSelected} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The conversation and the time of a message, as a link to it. */
function Where({ id }: { readonly id: number }): ReactNode {
  const { model } = useApp();
  const { messages } = model.cache;
  useChangesOf(messages.changesOf, id);
  const record = messages.get(id);
  if (record === undefined) return null;
  const { place, timestamp, matchTopic } = record;
  const narrow = [...narrowOfPlace(place, model.ownId), { operator: 'near', operand: id }];
  return (
    <h2 className={styles.where}>
      <RouteLink to={routeOfNarrow(narrow)} className={styles.place}>
        {place.kind === 'topic' ? (
          <>
            <ChannelMark channel={model.channels.get(place.channelId)} />
            {channelName(model, place.channelId)} › <TopicName topic={place.topic} match={matchTopic} />
          </>
        ) : (
          directName(model, place.userIds)
        )}
      </RouteLink>
      <time className={styles.date} dateTime={new Date(timestamp * 1000).toISOString()}>
        {formatDateTime(new Date(timestamp * 1000))}
      </time>
    </h2>
  );
}
