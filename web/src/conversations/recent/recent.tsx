import { keyOf } from '@heddle/client/model/messages/places.ts';
import type { RecentConversation } from '@heddle/client/model/messages/recent.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { useApp } from '../../base/app.tsx';
import { type Message, msg, t } from '../../base/i18n.ts';
import { useEntryState, useListPlace } from '../../base/list-place.ts';
import { useDerived } from '../../base/use-derived.ts';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { ArrowDownIcon, ArrowUpIcon, RecentIcon } from '../../design/icons.ts';
import { SearchField } from '../../design/search-field.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { RowList, type RowListHandle } from '../row-list.tsx';
import { switchesOf } from '../view-switches.ts';
import { RECENT_FILTERS, type RecentFilter, recentConversations, type SortColumn } from './filter.ts';
import styles from './recent.module.css';
import { RecentRow } from './recent-row.tsx';
import { TablePart } from './table-part.tsx';

/** The usual height of a row in pixels. */
const ROW_HEIGHT_PIXELS = 76;

const FILTER_LABELS: Readonly<Record<RecentFilter, Message>> = {
  unread: msg('Unread'),
  participated: msg('Participated'),
  followed: msg('Followed'),
  direct: msg('Direct messages'),
  muted: msg('Also muted'),
};

interface Sort {
  readonly column: SortColumn;
  readonly isAscending: boolean;
}

const NEWEST_FIRST: Sort = { column: 'time', isAscending: false };

/** The conversations in which somebody wrote lately. */
export function Recent(): ReactNode {
  const { model } = useApp();
  const { recent } = model.cache;
  const [text, setText] = useEntryState('text', '');
  const [sort, setSort] = useEntryState<Sort>('sort', NEWEST_FIRST);
  const place = useListPlace('recent');
  const list = useRef<RowListHandle>(null);
  useEffect(() => void recent.load(), [recent]);
  const filters = useFilters();
  const rows = useRows(filters, text.trim(), sort.column, sort.isAscending);
  const isLoading = recent.state === 'loading' || recent.state === 'unknown';
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<RecentIcon aria-hidden="true" className={styles.icon} />}
        title={t('Recent conversations')}
      />
      <div className={styles.tools}>
        <SearchField
          label={t('Filter by name')}
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'Enter') list.current?.focusFirst();
            else event.continuePropagation();
          }}
        />
        <Filters chosen={filters} />
      </div>
      {rows.length === 0 ? (
        <NoRows
          isLoading={isLoading}
          hasFailed={recent.state === 'failed'}
          isFiltered={filters.size > 0 || text !== ''}
        />
      ) : (
        <TablePart
          role="table"
          aria-label={t('Recent conversations')}
          aria-rowcount={rows.length + 1}
          className={styles.table}
          data-list
        >
          <Head
            sort={sort}
            onSort={(column) =>
              setSort({
                column,
                isAscending: sort.column === column ? !sort.isAscending : column === 'conversation',
              })
            }
          />
          <RowList
            label={t('Conversations')}
            role="rowgroup"
            firstRowIndex={2}
            rows={rows}
            heightOf={() => ROW_HEIGHT_PIXELS}
            handle={list}
            takesKeys
            place={place}
            className={styles.list}
            renderRow={({ conversation }, isActive) => <RecentRow conversation={conversation} isActive={isActive} />}
          />
        </TablePart>
      )}
      <div className={styles.footer} aria-live="polite">
        {isLoading && rows.length > 0 && t('Loading…')}
        {recent.state === 'ready' && !recent.isComplete && (
          <Button kind="quiet" size="small" onPress={() => void recent.loadMore()}>
            {t('Show older conversations')}
          </Button>
        )}
      </div>
    </>
  );
}

interface Row {
  readonly key: string;
  readonly conversation: RecentConversation;
}

function useRows(
  filters: ReadonlySet<RecentFilter>,
  text: string,
  sort: SortColumn,
  isAscending: boolean,
): readonly Row[] {
  const { model } = useApp();
  const { recent } = model.cache;
  const subjects = [recent.changes, model.topicPolicies.changes, model.channels.orderChanges];
  // Only these two depend on what is unread. Each row follows its own count.
  if (filters.has('unread') || sort === 'unread') subjects.push(model.unread.changes);
  return useDerived(
    subjects,
    () =>
      recentConversations(model, recent.list(), { filters, text, sort, isAscending }).map((conversation) => ({
        key: keyOf(conversation.place),
        conversation,
      })),
    [model, recent, filters, text, sort, isAscending],
  );
}

/** The filters that the user chose, remembered by the browser. */
function useFilters(): ReadonlySet<RecentFilter> {
  const { model } = useApp();
  const remembered = switchesOf('recent', model.ownId);
  return useDerived(
    [remembered.changes],
    () => new Set(RECENT_FILTERS.filter((filter) => remembered.isOn(filter, false))),
    [remembered],
  );
}

function Filters({ chosen }: { chosen: ReadonlySet<RecentFilter> }): ReactNode {
  const { model } = useApp();
  const remembered = switchesOf('recent', model.ownId);
  return (
    <fieldset className={styles.filters} aria-label={t('Filters')}>
      {RECENT_FILTERS.map((filter) => (
        <ToggleButton
          key={filter}
          className={styles.filter ?? ''}
          isSelected={chosen.has(filter)}
          onChange={(isOn) => remembered.set(filter, isOn)}
        >
          {t(FILTER_LABELS[filter])}
        </ToggleButton>
      ))}
    </fieldset>
  );
}

interface HeadProps {
  sort: Sort;
  onSort: (column: SortColumn) => void;
}

function Head({ sort, onSort }: HeadProps): ReactNode {
  const column = (key: SortColumn, label: string, className: string | undefined): ReactNode => {
    const isSorted = sort.column === key;
    const Arrow = sort.isAscending ? ArrowUpIcon : ArrowDownIcon;
    return (
      <TablePart
        role="columnheader"
        className={className}
        aria-sort={isSorted ? (sort.isAscending ? 'ascending' : 'descending') : 'none'}
      >
        <button type="button" className={styles.sort} onClick={() => onSort(key)}>
          {label}
          {isSorted && <Arrow aria-hidden="true" />}
        </button>
      </TablePart>
    );
  };
  return (
    <TablePart role="rowgroup">
      <TablePart role="row" aria-rowindex={1} className={styles.head}>
        {column('conversation', t('Conversation'), styles.conversation)}
        <TablePart role="columnheader" className={styles.people}>
          {t('Participants')}
        </TablePart>
        {column('unread', t('Unread'), styles.count)}
        {column('time', t('Time'), styles.time)}
      </TablePart>
    </TablePart>
  );
}

function NoRows({
  isLoading,
  hasFailed,
  isFiltered,
}: {
  isLoading: boolean;
  hasFailed: boolean;
  isFiltered: boolean;
}): ReactNode {
  const { model } = useApp();
  if (hasFailed) {
    return (
      <EmptyState
        title={t('The conversations could not be loaded.')}
        action={<Button onPress={() => void model.cache.recent.load()}>{t('Try again')}</Button>}
      />
    );
  }
  if (isLoading) {
    return (
      <div className={styles.list} aria-busy="true" data-list>
        <Skeleton kind="row" count={12} />
      </div>
    );
  }
  if (isFiltered)
    return (
      <EmptyState icon={RecentIcon} title={t('No conversation matches.')}>
        {t('Choose fewer filters, or show older conversations.')}
      </EmptyState>
    );
  return (
    <EmptyState icon={RecentIcon} title={t('No messages yet')}>
      {t('Conversations appear here when somebody writes.')}
    </EmptyState>
  );
}
