import { memo, type ReactNode, useCallback, useDeferredValue, useRef, useState } from 'react';
import { useApp, useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatNumber } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { InviteIcon, PeopleIcon } from '../../design/icons.ts';
import { SearchField } from '../../design/search-field.tsx';
import { VirtualList } from '../../design/virtual-list.tsx';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { focusView } from '../../frame/kept-focus.ts';
import { type Current, useCurrent } from '../../shown/current.ts';
import { openUserCard } from '../people-store.ts';
import type { PeopleRow } from './people-list.ts';
import { PersonRow } from './person-row.tsx';
import styles from './sidebar.module.css';
import { usePeopleRows } from './use-people-rows.ts';

/** The height of a row in pixels: larger for fingers. */
const ROW_HEIGHT_PIXELS = typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches ? 48 : 36;

/** The people of the open conversation and of the organization, by presence. */
export function RightSidebar(): ReactNode {
  // The messages of another conversation are shown first, and its people in the next frame.
  const current = useDeferredValue(useCurrent());
  return <People current={current} />;
}

const People = memo(function People({ current }: { readonly current: Current }): ReactNode {
  const model = useModel();
  const [filter, setFilter] = useState('');
  const query = filter.trim();
  const newest = usePeopleRows(current, query);
  const [held, setHeld] = useState<{ readonly current: Current; readonly rows: typeof newest }>();
  const rows = held?.current === current ? held.rows : newest;
  const body = useRef<HTMLDivElement>(null);
  const keyOf = useCallback((index: number) => keyOfRow(rows.at(index), index), [rows]);
  const open = (index: number) => {
    const row = rows.at(index);
    const anchor = body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (row?.kind === 'person' && anchor) openUserCard(row.userId, anchor);
  };
  return (
    <>
      <ColumnHeader column="right" title={t('People')} />
      <div className={styles.filter}>
        <SearchField
          label={t('Filter people')}
          value={filter}
          onChange={(text) => {
            setHeld(undefined);
            setFilter(text);
          }}
          data-people-filter
          onKeyDown={({ key }) => {
            if (key === 'Escape' && filter === '') focusView();
            if (key === 'ArrowDown') body.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus();
            if (key === 'Enter' && query !== '') open(0);
          }}
        />
      </div>
      {/* The order follows the presence. It waits while the pointer is on a name, so that a click meets that name. */}
      <div
        ref={body}
        className={styles.body}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setHeld({ current, rows: newest })}
        onPointerLeave={() => setHeld(undefined)}
      >
        <VirtualList
          key={`${model.ownId}${current.channelId ?? current.key}`}
          label={t('People')}
          kind="grid"
          count={rows.count}
          keyOf={keyOf}
          rowHeight={ROW_HEIGHT_PIXELS}
          onAction={open}
          renderRow={({ index }) => <Row row={rows.at(index)} />}
          empty={<EmptyState icon={PeopleIcon} title={t('Nobody found')} />}
        />
      </div>
      <InviteBar />
    </>
  );
});

/** Shown to users who may invite. A new team begins with it. */
function InviteBar(): ReactNode {
  const { model, navigation } = useApp();
  useChanges(model.permissions.changes);
  const { permissions } = model;
  if (!permissions.invite('mail').allowed && !permissions.invite('link').allowed) return null;
  return (
    <div className={styles.invite}>
      <Button kind="quiet" icon={InviteIcon} isWide onPress={() => navigation.go({ view: 'invite' })}>
        {t('Invite people')}
      </Button>
    </div>
  );
}

function keyOfRow(row: PeopleRow | undefined, index: number): string | number {
  return row?.key ?? index;
}

function Row({ row }: { readonly row: PeopleRow | undefined }): ReactNode {
  if (row === undefined) return null;
  if (row.kind === 'person') return <PersonRow userId={row.userId} />;
  return (
    <div className={styles.heading}>
      {headingText(row.key)} <span className={styles.count}>{formatNumber(row.count)}</span>
    </div>
  );
}

function headingText(key: 'members' | 'others' | 'online' | 'offline'): string {
  switch (key) {
    case 'members':
      return t('In this conversation');
    case 'others':
      return t('Others');
    case 'online':
      return t('Here now');
    default:
      return t('Not here');
  }
}
