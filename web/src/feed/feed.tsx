import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import { type Narrow, nearOf, placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import type { OutgoingMessage } from '@heddle/client/model/messages/outbox.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { withKnownRows } from '../base/known-rows.ts';
import { useChanges } from '../base/use-changes.ts';
import { useMessageShortcuts } from './actions/index.ts';
import styles from './feed.module.css';
import { FeedRow } from './feed-row.tsx';
import { targetOf, useJumpToNewest, useOpeningScroll, useScrollWork } from './feed-scroll.ts';
import { FeedState } from './feed-state.tsx';
import { useFeedVirtualizer } from './feed-virtualizer.ts';
import { JumpToNewest } from './jump-to-newest.tsx';
import { marksAsRead, useReading } from './reading.ts';
import { type Row, rowsOf } from './rows.ts';
import { useSelection } from './selection.ts';
import { useMovedTopic } from './use-moved-topic.ts';

/** The messages of a narrow. */
export function Feed({ narrow }: { readonly narrow: Narrow }): ReactNode {
  const { model, navigation } = useApp();
  useMovedTopic(narrow);
  // A link to a message in a known narrow is another visit of the same window.
  const window = useMemo(() => model.cache.windows.of(narrow), [model, narrow]);
  useChanges(window.changes);
  const near = nearOf(narrow);
  const visit = navigation.entry;
  // Coming back to the same narrow is another visit.
  useLayoutEffect(() => {
    const returnsTo = navigation.position(visit)?.rowId;
    const anchor = near ?? (typeof returnsTo === 'number' ? returnsTo : 'first_unread');
    void window.open(anchor);
    window.refreshIfStale();
    model.cache.keptUnread.clear();
  }, [window, near, navigation, visit, model]);
  if (window.state !== 'ready') return <FeedState window={window} narrow={narrow} />;
  return <LoadedFeed key={`${visit}/${near}`} window={window} narrow={narrow} near={near} />;
}

interface LoadedFeedProps {
  readonly window: MessageWindow;
  readonly narrow: Narrow;
  readonly near: number | undefined;
}

function LoadedFeed({ window, narrow, near }: LoadedFeedProps): ReactNode {
  const { model, navigation } = useApp();
  const { messages, marks } = model.cache;
  const place = useMemo(() => placeOfNarrow(narrow, model.ownId), [narrow, model]);
  const [firstUnreadId] = useState(() => firstUnreadOf(window, messages));
  const rows = useRows(window, place, firstUnreadId);
  const scroller = useRef<HTMLDivElement>(null);
  const [target] = useState(() => targetOf(navigation.position(), near, firstUnreadId));
  const { virtualizer, layout } = useFeedVirtualizer(scroller, rows, window, target);
  useOpeningScroll(virtualizer, rows, target);
  const work = useScrollWork(virtualizer, rows, window, navigation);
  const policy = model.account.settings.web_mark_read_on_scroll_policy;
  const look = useReading(virtualizer, layout, rows, {
    messages,
    marks,
    isActive: marksAsRead(policy, place !== undefined),
    keepsUnread: model.cache.keptUnread,
  });
  const jumpToNewest = useJumpToNewest(virtualizer, rows, window);
  const visit = navigation.entry;
  const { selection, focusHandlers } = useSelection(rows, virtualizer, scroller, {
    initial: near,
    visit,
    jumpToNewest,
  });
  useMessageShortcuts(selection.id);
  const onScroll = useCallback(() => {
    work();
    look();
  }, [work, look]);
  const items = virtualizer.getVirtualItems();
  if (rows.length === 0) return <FeedState window={window} narrow={narrow} />;
  return (
    <div className={styles.feed}>
      <div ref={scroller} className={styles.scroller} onScroll={onScroll} data-feed-scroller {...focusHandlers}>
        <section
          ref={virtualizer.containerRef}
          className={styles.rows}
          aria-label={t('Messages')}
          aria-busy={window.isLoadingOlder || window.isLoadingNewer}
        >
          {items.map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <div key={item.key} ref={virtualizer.measureElement} data-index={item.index} className={styles.row}>
                <FeedRow row={row} selection={selection} />
              </div>
            );
          })}
        </section>
      </div>
      <JumpToNewest virtualizer={virtualizer} window={window} onPress={() => jumpToNewest()} />
    </div>
  );
}

/** The first unread message of a window that was opened now. */
function firstUnreadOf(window: MessageWindow, messages: { get(id: number): { readonly isRead: boolean } | undefined }) {
  return window.ids.find((id) => messages.get(id)?.isRead === false);
}

/** The rows of the window, computed again when it changes. */
function useRows(window: MessageWindow, place: Place | undefined, firstUnreadId: number | undefined): readonly Row[] {
  const { model } = useApp();
  const { messages, outbox } = model.cache;
  useChanges(outbox.changes);
  useChanges(model.mutedUsers.changes);
  const { ids, foundNewest } = window;
  const outgoing = foundNewest && place !== undefined ? outbox.list() : NONE;
  const placeKey = place === undefined ? undefined : keyOf(place);
  const known = useRef<readonly Row[]>([]);
  return useMemo(() => {
    const records = ids.flatMap((id) => messages.get(id) ?? []);
    const here = outgoing.filter((message) => keyOf(message.place) === placeKey);
    const rows = rowsOf(records, here, { isMixed: placeKey === undefined, firstUnreadId, ownId: model.ownId });
    known.current = withKnownRows(known.current, rows);
    return known.current;
  }, [ids, messages, outgoing, placeKey, firstUnreadId, model]);
}

const NONE: readonly OutgoingMessage[] = [];
