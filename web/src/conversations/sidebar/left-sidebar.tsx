import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { lazyPart } from '../../base/lazy-part.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { AddIcon, SearchIcon } from '../../design/icons.ts';
import { SearchField } from '../../design/search-field.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useFrame } from '../../frame/frame-context.ts';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { focusView } from '../../frame/kept-focus.ts';
import { openSearch, searchShortcut } from '../../search/search-store.ts';
import { type Current, useCurrent } from '../../shown/current.ts';
import type { FieldKeyboardEvent } from '../field-keys.ts';
import { RowList, type RowListHandle } from '../row-list.tsx';
import { filterShortcut } from '../shortcuts.ts';
import { switchesOf } from '../view-switches.ts';
import { ChannelRow, DirectRow, TopicRow } from './conversation-rows.tsx';
import { fixedRows, type SidebarRow, sectionKey } from './rows.ts';
import { SectionRow } from './section-row.tsx';
import styles from './sidebar.module.css';
import { SidebarLink, ToggleRow } from './sidebar-row.tsx';
import { useExpanded } from './use-expanded.ts';
import { useSidebarRows } from './use-sidebar-rows.ts';
import { ViewRow } from './view-row.tsx';

const TopicsPane = lazyPart(() => import('./topics-pane.tsx'));

/** The usual height of a row in pixels. */
const ROW_HEIGHT_PIXELS = 32;

/** Views, direct messages and channels. With all topics of one channel if the user asked for them. */
export function LeftSidebar(): ReactNode {
  const { model, navigation } = useApp();
  const { layout } = useFrame();
  useChanges(model.organization.changes);
  const [channelId, setChannelId] = useState<number>();
  // A phone has a page for them.
  const showTopics = useCallback(
    (id: number) => (layout === 'phone' ? navigation.go({ view: 'topics', channelId: id }) : setChannelId(id)),
    [layout, navigation],
  );
  return (
    <>
      <ColumnHeader
        column="left"
        title={model.organization.settings.name}
        actions={
          <IconButton
            icon={SearchIcon}
            label={t('Search')}
            shortcut={searchShortcut}
            onPress={() => openSearch()}
            placement="bottom"
          />
        }
      />
      {channelId === undefined ? (
        <Conversations onAllTopics={showTopics} />
      ) : (
        <TopicsPane channelId={channelId} onClose={() => setChannelId(undefined)} />
      )}
    </>
  );
}

function Conversations({ onAllTopics }: { onAllTopics: (channelId: number) => void }): ReactNode {
  const { model } = useApp();
  const current = useCurrent();
  const [filter, setFilter] = useState('');
  // Only of a channel that exists are there topics to ask for.
  const hasCurrent = current.channelId !== undefined && model.channels.get(current.channelId) !== undefined;
  const [expanded, setExpanded] = useExpanded(hasCurrent ? current.channelId : undefined);
  const rows = useSidebarRows(current, expanded, filter.trim());
  const latest = useRef(rows);
  latest.current = rows;
  const list = useRef<RowListHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const sections = switchesOf('sidebar', model.ownId);
  useShortcut(filterShortcut, () => {
    if (field.current?.checkVisibility() !== true) return false;
    field.current.focus();
    field.current.select();
  });
  useReveal(list, current, rows, filter.trim() !== '');
  const setOpen = useCallback((name: string, isOpen: boolean) => sections.set(name, isOpen), [sections]);
  const onKey = (event: KeyboardEvent, row: SidebarRow): boolean => {
    if (!(event.target as Element).hasAttribute('data-primary')) return false;
    const wanted = event.key === 'ArrowRight' ? true : event.key === 'ArrowLeft' ? false : undefined;
    if (wanted === undefined) return false;
    if (row.kind === 'topic' && !wanted) {
      list.current?.focus(`c${row.place.channelId}`);
      return true;
    }
    if ((row.kind !== 'section' && row.kind !== 'channel' && row.kind !== 'quiet') || row.isOpen === wanted)
      return false;
    if (row.kind === 'section') setOpen(sectionKey(row.section), wanted);
    else if (row.kind === 'quiet') setOpen(row.key, wanted);
    else setExpanded(row.channelId, wanted);
    return true;
  };
  const focusFirst = useCallback(() => {
    const first = latest.current.find(
      ({ kind }) => kind === 'view' || kind === 'direct' || kind === 'channel' || kind === 'topic',
    );
    if (first !== undefined) list.current?.focus(first.key);
    return first !== undefined;
  }, []);
  return (
    <>
      <FilterField value={filter} onChange={setFilter} onLeave={focusFirst} field={field} />
      <RowList
        label={t('Conversations')}
        rows={rows}
        heightOf={() => ROW_HEIGHT_PIXELS}
        handle={list}
        onKey={onKey}
        className={styles.list}
        fixedCount={fixedRows(rows)}
        renderRow={(row, isActive) => (
          <Row
            row={row}
            isActive={isActive}
            isCurrent={row.key === current.key}
            onOpen={setOpen}
            onExpand={setExpanded}
            onAllTopics={onAllTopics}
          />
        )}
      />
    </>
  );
}

interface FilterFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Moves the focus to the first conversation. Returns false if there is none. */
  onLeave: () => boolean;
  field: RefObject<HTMLInputElement | null>;
}

const FilterField = memo(function FilterField({ value, onChange, onLeave, field }: FilterFieldProps): ReactNode {
  const onKeyDown = (event: FieldKeyboardEvent) => {
    if (event.key === 'Escape' && value === '') focusView();
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return event.continuePropagation();
    if (onLeave()) event.preventDefault();
  };
  return (
    <div className={styles.filter}>
      <SearchField
        label={t('Filter conversations')}
        value={value}
        onChange={onChange}
        onKeyDown={onKeyDown}
        inputRef={field}
      />
    </div>
  );
});

/** Scrolls to the conversation that the app shows when it changes, and when its row appears later. Until then, to its channel. */
function useReveal(
  list: { readonly current: RowListHandle | null },
  { key, channelId }: Current,
  rows: readonly SidebarRow[],
  isFiltered: boolean,
): void {
  const isShown = rows.some((row) => row.key === key);
  useEffect(() => {
    // While the user looks for something else, the list stays.
    if (isFiltered) return;
    if (isShown && key !== undefined) list.current?.reveal(key);
    // Its topics are not loaded yet.
    else if (channelId !== undefined) list.current?.reveal(`c${channelId}`);
  }, [list, key, channelId, isShown, isFiltered]);
}

interface RowProps {
  row: SidebarRow;
  isActive: boolean;
  isCurrent: boolean;
  onOpen: (name: string, isOpen: boolean) => void;
  onExpand: (channelId: number, isOpen: boolean) => void;
  onAllTopics: (channelId: number) => void;
}

const Row = memo(function Row({ row, isActive, isCurrent, onOpen, onExpand, onAllTopics }: RowProps): ReactNode {
  const state = { isActive, isCurrent };
  switch (row.kind) {
    case 'view':
      return <ViewRow {...state} fragment={row.fragment} />;
    case 'section':
      return (
        <SectionRow
          section={row.section}
          isOpen={row.isOpen}
          isActive={isActive}
          channelIds={row.channelIds}
          onToggle={onOpen}
        />
      );
    case 'direct':
      return <DirectRow {...state} place={row.place} />;
    case 'channel':
      return (
        <ChannelRow
          {...state}
          channelId={row.channelId}
          isOpen={row.isOpen}
          onToggle={onExpand}
          onAllTopics={onAllTopics}
        />
      );
    case 'topic':
      return <TopicRow {...state} place={row.place} />;
    case 'more-direct':
      return (
        <ToggleRow
          isOpen={row.isOpen}
          isActive={isActive}
          onToggle={() => onOpen('all direct', !row.isOpen)}
          className={styles.more}
        >
          {row.isOpen
            ? t('Show fewer')
            : t('{count, plural, one {# more conversation} other {# more conversations}}', { count: row.hidden })}
        </ToggleRow>
      );
    case 'quiet':
      return (
        <ToggleRow
          isOpen={row.isOpen}
          isActive={isActive}
          onToggle={() => onOpen(row.key, !row.isOpen)}
          className={styles.more}
        >
          {t('{count, plural, one {# muted or inactive channel} other {# muted or inactive channels}}', {
            count: row.count,
          })}
        </ToggleRow>
      );
    case 'all-topics':
      return (
        <button
          type="button"
          className={styles.allTopics}
          tabIndex={isActive ? 0 : -1}
          onClick={() => onAllTopics(row.channelId)}
          data-primary
        >
          {t('Show all topics')}
        </button>
      );
    case 'browse':
      return (
        <SidebarLink {...state} to={{ view: 'channels', tab: 'available' }} mark={<AddIcon aria-hidden="true" />}>
          {t('Browse more channels')}
        </SidebarLink>
      );
    case 'loading':
      return <Skeleton kind="line" count={1} />;
    case 'nothing':
      return <p className={styles.nothing}>{t('No conversation matches.')}</p>;
  }
});
