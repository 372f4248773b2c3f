import { type KeyboardEvent, type ReactNode, Suspense, useMemo, useRef } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useEntryState, useListPlace } from '../../base/list-place.ts';
import { lazyComponent } from '../../base/load-code.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { InboxIcon, ReadIcon, RecentIcon } from '../../design/icons.ts';
import { SearchField } from '../../design/search-field.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { LoginLink } from '../../shown/login-link.tsx';
import { channelName, placeName } from '../../shown/names.ts';
import { markEverythingAsRead } from '../../topic-actions/mark-read.ts';
import { RowList, type RowListHandle } from '../row-list.tsx';
import { switchesOf } from '../view-switches.ts';
import { showsChecklist } from './checklist-step.ts';
import { ImportOffer } from './import-offer.tsx';
import styles from './inbox.module.css';
import { InboxRowView } from './inbox-row.tsx';
import { type InboxFilter, type InboxRow, InboxRows } from './rows.ts';

const OwnerChecklist = lazyComponent(async () => ({ default: (await import('./owner-checklist.tsx')).OwnerChecklist }));

/** The usual height of a row in pixels. */
const ROW_HEIGHT_PIXELS = 36;

/** What the user has not read, by person, channel and topic. */
export function Inbox(): ReactNode {
  const { model } = useApp();
  if (!model.account.isSpectator) return <OwnInbox />;
  return (
    <EmptyState icon={InboxIcon} title={t('The inbox needs an account')}>
      <LoginLink>{t('Log in')}</LoginLink>
    </EmptyState>
  );
}

function OwnInbox(): ReactNode {
  const app = useApp();
  const { model } = app;
  const [filter, setFilter] = useEntryState<InboxFilter>('filter', 'unmuted');
  const [text, setText] = useEntryState('text', '');
  const place = useListPlace('inbox');
  const list = useRef<RowListHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const sections = switchesOf('inbox', model.ownId);
  const rows = useInboxRows(filter, text);
  const onKey = (event: KeyboardEvent, row: InboxRow): boolean => {
    const wanted = event.key === 'ArrowRight' ? true : event.key === 'ArrowLeft' ? false : undefined;
    const isOnHeading = (event.target as Element).hasAttribute('data-primary');
    if (wanted === undefined || !isOnHeading) return false;
    if (row.kind === 'conversation') {
      if (wanted) return false;
      list.current?.focus(row.place.kind === 'topic' ? `c${row.place.channelId}` : 'section direct');
      return true;
    }
    if (row.isOpen === wanted) return false;
    sections.set(row.key, wanted);
    return true;
  };
  const isEmpty = rows.length === 0;
  const hasChecklist = showsChecklist(model);
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<InboxIcon aria-hidden="true" className={styles.icon} />}
        title={t('Inbox')}
        actions={
          <Button kind="quiet" icon={ReadIcon} isDisabled={isEmpty} onPress={() => markEverythingAsRead(app)}>
            {t('Mark everything as read')}
          </Button>
        }
      />
      <Suspense fallback={null}>{hasChecklist ? <OwnerChecklist /> : <ImportOffer />}</Suspense>
      <div className={styles.tools}>
        <SearchField
          label={t('Filter the inbox')}
          value={text}
          onChange={setText}
          inputRef={field}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'Enter') list.current?.focusFirst();
            else event.continuePropagation();
          }}
        />
        <Segmented
          label={t('Conversations in the inbox')}
          value={filter}
          onChange={setFilter}
          options={[
            { key: 'unmuted', label: t('Unmuted') },
            { key: 'followed', label: t('Followed') },
            { key: 'all', label: t('All') },
          ]}
        />
      </div>
      {isEmpty ? (
        <Empty filter={filter} text={text} onAll={() => setFilter('all')} />
      ) : (
        <RowList
          label={t('Unread conversations')}
          rows={rows}
          heightOf={() => ROW_HEIGHT_PIXELS}
          handle={list}
          onKey={onKey}
          takesKeys
          place={place}
          className={styles.list}
          renderRow={(row, isActive) => (
            <InboxRowView row={row} isActive={isActive} onToggle={(key, isOpen) => sections.set(key, isOpen)} />
          )}
        />
      )}
    </>
  );
}

function useInboxRows(filter: InboxFilter, text: string): readonly InboxRow[] {
  const { model } = useApp();
  const source = useMemo(() => new InboxRows(model, filter), [model, filter]);
  const sections = switchesOf('inbox', model.ownId);
  useChanges(model.unread.changes);
  useChanges(model.topicPolicies.changes);
  useChanges(model.channels.orderChanges);
  useChanges(model.channelFolders.changes);
  useChanges(model.account.changes);
  useChanges(sections.changes);
  const query = text.trim();
  if (query === '') return source.rows((key) => sections.isOn(key));
  const matches = matcherOf(query);
  const found = source
    .rows(() => true)
    .filter((row) => row.kind === 'conversation' && matches(placeName(model, row.place)));
  return withHeadings(
    found,
    source.rows(() => true),
    (id) => matches(channelName(model, id)),
  );
}

/** Adds the headings above the conversations that were found. */
function withHeadings(
  found: readonly InboxRow[],
  all: readonly InboxRow[],
  isFoundChannel: (channelId: number) => boolean,
): InboxRow[] {
  const kept = new Set(found.map(({ key }) => key));
  const rows: InboxRow[] = [];
  let section: InboxRow | undefined;
  let channel: InboxRow | undefined;
  for (const row of all) {
    if (row.kind === 'section') [section, channel] = [row, undefined];
    else if (row.kind === 'channel') channel = row;
    else if (kept.has(row.key) || (channel?.kind === 'channel' && isFoundChannel(channel.channelId))) {
      if (section !== undefined) rows.push(section);
      if (channel !== undefined && !rows.includes(channel)) rows.push(channel);
      section = undefined;
      rows.push(row);
    }
  }
  return rows;
}

function Empty({ filter, text, onAll }: { filter: InboxFilter; text: string; onAll: () => void }): ReactNode {
  const { model, navigation } = useApp();
  useChanges(model.unread.changes);
  if (text.trim() !== '') return <EmptyState title={t('No unread conversation matches.')} />;
  const hasOthers = [...model.unread.channelIds()].length > 0;
  if (hasOthers && filter !== 'all') {
    return (
      <EmptyState
        icon={InboxIcon}
        title={
          filter === 'followed' ? t('Nothing new in topics that you follow') : t('Nothing new in unmuted conversations')
        }
        action={<Button onPress={onAll}>{t('Show all unread')}</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={InboxIcon}
      title={t('You have read everything.')}
      action={
        <Button icon={RecentIcon} onPress={() => navigation.go({ view: 'recent' })}>
          {t('Recent conversations')}
        </Button>
      }
    >
      {t('New messages appear here, sorted by conversation.')}
    </EmptyState>
  );
}
