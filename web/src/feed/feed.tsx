import type { Anchor } from '@heddle/client/model/messages/message-pages.ts';
import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import { type Narrow, nearOf, placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import type { OutgoingMessage } from '@heddle/client/model/messages/outbox.ts';
import { showsPlace, unreadIdsOf, type WholeView, wholeViewOf } from '@heddle/client/model/messages/whole-view.ts';
import type { Model } from '@heddle/client/model/model.ts';
import {
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useShortcut } from '../base/keyboard-react.tsx';
import { withKnownRows } from '../base/known-rows.ts';
import { lazyComponent } from '../base/load-code.ts';
import { toasts } from '../base/toasts.ts';
import { useChanges } from '../base/use-changes.ts';
import { sentStore } from '../shown/sent.ts';
import { useMessageShortcuts, useTopicShortcuts } from './actions/index.ts';
import { useEditLast } from './edit/use-edit-last.ts';
import styles from './feed.module.css';
import { useStayAtEnd } from './feed-end.ts';
import { FeedRow } from './feed-row.tsx';
import { type Target, targetOf, useJump, useOpeningScroll, useScrollWork } from './feed-scroll.ts';
import { FeedState } from './feed-state.tsx';
import { useFeedVirtualizer } from './feed-virtualizer.ts';
import { JumpToNewest } from './jump-to-newest.tsx';
import type { ListTop } from './list-top.ts';
import { useReadEnd } from './read-end.ts';
import { marksAsRead, useReading } from './reading.ts';
import { type Row, rowsOf } from './rows.ts';
import { feedShortcuts, useSelection } from './selection.ts';
import { useMovedTopic } from './use-moved-topic.ts';
import { useWayBack } from './way-back.ts';

const BackNotice = lazyComponent(() => import('./back-notice.tsx'));
const SkippedNotice = lazyComponent(() => import('./skipped-notice.tsx'));
const StickyPlace = lazyComponent(() => import('./sticky-place.tsx'));

/** Where a visit of a window begins. */
interface Opening {
  readonly visit: string;
  readonly window: MessageWindow;
  readonly anchor: Anchor;
  readonly isAtEnd: boolean;
}

/** The messages of a narrow. */
export function Feed({ narrow }: { readonly narrow: Narrow }): ReactNode {
  const { model, navigation, session } = useApp();
  useMovedTopic(narrow);
  // A link to a message in a known narrow is another visit of the same window.
  const window = useMemo(() => model.cache.windows.of(narrow), [model, narrow]);
  useChanges(window.changes);
  const view = useMemo(() => wholeViewOf(narrow, model.ownId), [narrow, model]);
  const near = nearOf(narrow);
  const { entry } = navigation;
  // Coming back to the same narrow is another visit.
  const visit = `${entry}/${near}`;
  const { keptUnread } = model.cache;
  const opening = useRef<Opening>(undefined);
  if (opening.current?.visit !== visit || opening.current.window !== window) {
    const position = navigation.position(entry);
    // The topic was moved while the user reads its end.
    const staysAtEnd = opening.current?.visit === visit && position?.isAtEnd === true;
    const isAtEnd = staysAtEnd || sentStore.isIn(view, model);
    const before = typeof position?.rowId === 'number' ? position.rowId : undefined;
    const first = view === undefined ? 'newest' : firstUnreadAnchor(view, model);
    opening.current = { visit, window, isAtEnd, anchor: isAtEnd ? 'newest' : (before ?? near ?? first) };
  }
  const { anchor, isAtEnd } = opening.current;
  const [openedVisit, setOpenedVisit] = useState<string>();
  useLayoutEffect(() => {
    let isCurrent = true;
    // The answer of an earlier visit can come later than that of this one.
    void window.open(anchor).then(() => {
      if (isCurrent) setOpenedVisit(visit);
    });
    window.refreshIfStale();
    keptUnread.clear();
    return () => {
      isCurrent = false;
    };
  }, [window, anchor, visit, keptUnread]);
  // The range of an earlier visit can be elsewhere. Without a connection, it is all there is.
  const isElsewhere = openedVisit !== visit && session.status.state === 'live' && !window.covers(anchor);
  if (window.state !== 'ready' || isElsewhere) {
    return <FeedState window={window} narrow={narrow} anchor={anchor} isLoading={window.state === 'ready'} />;
  }
  return (
    <LoadedFeed
      key={visit}
      window={window}
      narrow={narrow}
      view={view}
      near={near}
      anchor={anchor}
      opensAtEnd={isAtEnd}
    />
  );
}

/** The server knows the first unread message, unless it does not know yet what the user has just read. */
function firstUnreadAnchor(view: WholeView, model: Model): Anchor {
  if (!model.cache.marks.isBehind) return 'first_unread';
  const ids = unreadIdsOf(view, model.unread, (channelId, topic) => model.isTopicMuted(channelId, topic));
  return ids.length === 0 ? 'newest' : ids.reduce((least, id) => Math.min(least, id));
}

interface LoadedFeedProps {
  readonly window: MessageWindow;
  readonly narrow: Narrow;
  /** Undefined for fragments. */
  readonly view: WholeView | undefined;
  readonly near: number | undefined;
  readonly anchor: Anchor;
  readonly opensAtEnd: boolean;
}

function LoadedFeed({ window, narrow, view, near, anchor, opensAtEnd }: LoadedFeedProps): ReactNode {
  const { model, navigation } = useApp();
  const [firstUnreadId, setFirstUnreadId] = useState(() => firstUnreadOf(window, view, model));
  const rows = useRows(window, view, firstUnreadId);
  const scroller = useRef<HTMLDivElement>(null);
  const [target] = useState(() => (opensAtEnd ? END : targetOf(navigation.position(), near, firstUnreadId)));
  const [top] = useState<ListTop>(() => ({ covered: 0, place: undefined }));
  const { virtualizer, layout } = useFeedVirtualizer(scroller, rows, window, target, top);
  useOpeningScroll(virtualizer, rows, target);
  const { noteScroll, leave } = useStayAtEnd(virtualizer, layout, rows, window, target.kind === 'end');
  const work = useScrollWork(virtualizer, rows, window, navigation);
  const { readEnd, skipped, isBack, noteBack, forgetSkipped } = useReadEnd(view, window);
  const isActive = () => marksAsRead(model, view);
  const { look, goesToEnd } = useReading(virtualizer, layout, rows, { model, window, top, isActive, readEnd });
  const jump = useJump(virtualizer, rows, window);
  const noteJump = useRef(() => {});
  const jumpToNewest = useCallback(
    (arrive?: (id: number) => void) => {
      noteJump.current();
      goesToEnd();
      jump('newest', arrive);
    },
    [jump, goesToEnd],
  );
  useGoToSent(view, jump, noteJump);
  const visit = navigation.entry;
  const { selection, focusHandlers, focusOn } = useSelection(rows, virtualizer, scroller, {
    initial: near,
    visit,
    top,
    jumpToNewest,
  });
  const leaveEnd = useCallback(() => {
    leave();
    noteBack();
  }, [leave, noteBack]);
  const goToSkipped = useCallback(() => {
    const [first] = skipped;
    if (first === undefined) return;
    leaveEnd();
    setFirstUnreadId(first);
    jump(first, focusOn);
  }, [skipped, leaveEnd, jump, focusOn]);
  useShortcut(feedShortcuts.skipped, goToSkipped, { when: skipped.length > 0 });
  const wayBack = useWayBack(virtualizer, rows, { near, window, jump, leave: leaveEnd, focusOn });
  noteJump.current = wayBack.note;
  const placeAtTop = () => placeOfNarrow(narrow, model.ownId) ?? top.place;
  useMessageShortcuts(selection.id, placeAtTop);
  useTopicShortcuts(selection.id, placeAtTop);
  useEditLast(rows, virtualizer);
  const onScroll = useCallback(() => {
    noteScroll();
    work();
    look();
  }, [noteScroll, work, look]);
  const items = virtualizer.getVirtualItems();
  if (rows.length === 0) return <FeedState window={window} narrow={narrow} anchor={anchor} />;
  return (
    <div className={styles.feed} data-list>
      <div className={styles.list}>
        <div ref={scroller} className={styles.scroller} onScroll={onScroll} data-feed-scroller {...focusHandlers}>
          {view?.kind !== 'conversation' && (
            <Suspense>
              <StickyPlace virtualizer={virtualizer} layout={layout} rows={rows} top={top} />
            </Suspense>
          )}
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
        {skipped.length > 0 && (
          <div className={styles.notices}>
            <Suspense>
              <SkippedNotice ids={skipped} isBack={isBack} goBack={goToSkipped} onClose={forgetSkipped} />
            </Suspense>
          </div>
        )}
        <JumpToNewest virtualizer={virtualizer} window={window} onPress={() => jumpToNewest()} />
      </div>
      {wayBack.goBack && (
        <Suspense>
          <BackNotice goBack={wayBack.goBack} onClose={wayBack.dismiss} />
        </Suspense>
      )}
    </div>
  );
}

const END: Target = { kind: 'end' };

/** The first unread message of a window that was opened now. Fragments have no line there. */
function firstUnreadOf({ ids }: MessageWindow, view: WholeView | undefined, { cache }: Model): number | undefined {
  return view && ids.find((id) => cache.messages.get(id)?.isRead === false);
}

/** The view goes to each message that the user sends. */
function useGoToSent(
  view: WholeView | undefined,
  jump: ReturnType<typeof useJump>,
  noteJump: RefObject<() => void>,
): void {
  const { model } = useApp();
  useEffect(() => {
    const go = (): void => {
      if (sentStore.take(view, model)) jump('newest', undefined, fail);
    };
    /** The user reads this list, and may want to go on there. */
    const leave = (): void => {
      if (sentStore.isIn(view, model)) noteJump.current();
      go();
    };
    const fail = (): void => {
      const text = t('Your message is at the end. The newest messages could not be loaded.');
      toasts.show({ text, action: { label: t('Newest messages'), run: () => jump('newest', undefined, fail) } });
    };
    go();
    return sentStore.changes.subscribe(leave);
  }, [view, model, jump, noteJump]);
}

/** The rows of the window, computed again when it changes. */
function useRows(
  window: MessageWindow,
  view: WholeView | undefined,
  firstUnreadId: number | undefined,
): readonly Row[] {
  const { model } = useApp();
  const { messages, outbox } = model.cache;
  useChanges(outbox.changes);
  useChanges(model.mutedUsers.changes);
  const { ids, foundNewest } = window;
  const outgoing = foundNewest && view !== undefined ? outbox.list() : NONE;
  const known = useRef<readonly Row[]>([]);
  return useMemo(() => {
    const records = ids.flatMap((id) => messages.get(id) ?? []);
    const isTopicMuted = (channelId: number, topic: string) => model.isTopicMuted(channelId, topic);
    const here = outgoing.filter(({ place }) => view !== undefined && showsPlace(view, place, isTopicMuted));
    const isMixed = view?.kind !== 'conversation';
    const rows = rowsOf(records, here, { isMixed, firstUnreadId, ownId: model.ownId });
    known.current = withKnownRows(known.current, rows);
    return known.current;
  }, [ids, messages, outgoing, view, firstUnreadId, model]);
}

const NONE: readonly OutgoingMessage[] = [];
