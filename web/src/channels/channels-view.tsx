import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useEntryState, useListPlace } from '../base/list-place.ts';
import { matcherOf } from '../base/text-filter.ts';
import { useChanges } from '../base/use-changes.ts';
import { ChannelDescription } from '../conversations/header/channel-description.tsx';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { AddIcon, ChannelIcon, FolderIcon } from '../design/icons.ts';
import { SearchField } from '../design/search-field.tsx';
import { Segmented } from '../design/segmented.tsx';
import { Select } from '../design/select.tsx';
import { VirtualList } from '../design/virtual-list.tsx';
import { ColumnHeader } from '../frame/frame-header.tsx';
import { ChannelMark } from '../shown/channel-mark.tsx';
import { routeOfChannel } from '../shown/names.ts';
import { RouteLink } from '../shown/route-link.tsx';
import styles from './channels.module.css';
import { CreateChannel } from './create-channel.tsx';
import { FoldersDialog } from './folders-dialog.tsx';
import { MembershipButton } from './membership.tsx';

type Tab = 'subscribed' | 'available' | 'archived';
type Sort = 'name' | 'members' | 'traffic';

/** The height of a row in pixels. */
const ROW_HEIGHT_PIXELS = 60;

/** Browses channels, or creates one. */
export function ChannelsView({ tab }: { readonly tab: Tab | 'new' }): ReactNode {
  const { navigation } = useApp();
  // A link to another tab is another visit, with a filter and a place of its own.
  return tab === 'new' ? <CreateChannel /> : <Browse key={navigation.entry} tab={tab} />;
}

function Browse({ tab }: { readonly tab: Tab }): ReactNode {
  const { model, navigation } = useApp();
  const [text, setText] = useEntryState('text', '');
  const [sort, setSort] = useEntryState<Sort>('sort', 'name');
  const place = useListPlace('channels');
  const [hasFolders, setHasFolders] = useState(false);
  useChanges(model.channels.changes);
  useChanges(model.permissions.changes);
  const channels = sorted(shown([...model.channels.all.values()], tab, text), sort);
  const { permissions, account } = model;
  const canCreate = (['public', 'private', 'web-public'] as const).some(
    (kind) => permissions.channels.create(kind).allowed,
  );
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<ChannelIcon aria-hidden="true" className={styles.icon} />}
        title={t('Channels')}
        actions={
          canCreate && (
            <Button
              kind="primary"
              size="small"
              icon={AddIcon}
              onPress={() => navigation.go({ view: 'channels', tab: 'new' })}
            >
              {t('Create channel')}
            </Button>
          )
        }
      />
      <div className={styles.tools}>
        <Segmented
          label={t('Which channels')}
          options={[
            { key: 'subscribed', label: t('Subscribed') },
            { key: 'available', label: t('Available') },
            { key: 'archived', label: t('Archived') },
          ]}
          value={tab}
          onChange={(key) => navigation.replace({ view: 'channels', tab: key })}
        />
        <SearchField label={t('Filter channels')} value={text} onChange={setText} />
        <Select
          label={t('Sort by')}
          isLabelHidden
          options={[
            { key: 'name', label: t('By name') },
            { key: 'members', label: t('By members') },
            { key: 'traffic', label: t('By traffic') },
          ]}
          value={sort}
          onChange={setSort}
        />
        {account.isAdministrator && (
          <Button icon={FolderIcon} onPress={() => setHasFolders(true)}>
            {t('Folders')}
          </Button>
        )}
      </div>
      <VirtualList
        className={styles.list ?? ''}
        key={tab}
        place={place}
        label={t('Channels')}
        kind="grid"
        count={channels.length}
        keyOf={(index) => channels[index]?.id ?? index}
        rowHeight={ROW_HEIGHT_PIXELS}
        renderRow={({ index }) => <Row channel={channels[index]} />}
        onAction={(index) => {
          const channel = channels[index];
          if (channel) navigation.go({ view: 'channel', channelId: channel.id, tab: 'general' });
        }}
        empty={<EmptyState icon={ChannelIcon} title={emptyTitle(tab, text)} />}
      />
      {hasFolders && <FoldersDialog onClose={() => setHasFolders(false)} />}
    </>
  );
}

function emptyTitle(tab: Tab, text: string): string {
  if (text.trim() !== '') return t('No channel has this name');
  return tab === 'available' ? t('There is no other channel that you can join') : t('No channels');
}

function Row({ channel }: { readonly channel: ChannelRecord | undefined }): ReactNode {
  const { model } = useApp();
  if (channel === undefined) return null;
  const folder = channel.folderId === null ? undefined : model.channelFolders.get(channel.folderId)?.name;
  const facts = [folder, t('{count, plural, one {# member} other {# members}}', { count: channel.subscriberCount })];
  return (
    <div className={styles.row}>
      <ChannelMark channel={channel} />
      <div className={styles.texts}>
        <RouteLink to={{ view: 'channel', channelId: channel.id, tab: 'general' }} className={styles.name}>
          {channel.name}
        </RouteLink>
        <span className={styles.facts}>
          {facts.filter(Boolean).join(' · ')}
          {channel.description !== '' && (
            <>
              {' · '}
              <ChannelDescription html={channel.descriptionHtml} />
            </>
          )}
        </span>
      </div>
      {!channel.isSubscribed && model.permissions.channels.contentAccess(channel) !== 'none' && (
        <RouteLink
          to={routeOfChannel(channel.id)}
          className={styles.preview}
          aria-label={t('Preview of {channel}', { channel: channel.name })}
        >
          {t('Preview')}
        </RouteLink>
      )}
      <MembershipButton channel={channel} />
    </div>
  );
}

function shown(channels: readonly ChannelRecord[], tab: Tab, text: string): ChannelRecord[] {
  const matches = matcherOf(text);
  return channels.filter((channel) => {
    if (channel.isArchived !== (tab === 'archived')) return false;
    if (tab !== 'archived' && channel.isSubscribed !== (tab === 'subscribed')) return false;
    return matches(`${channel.name} ${channel.description}`);
  });
}

function sorted(channels: ChannelRecord[], sort: Sort): ChannelRecord[] {
  const collator = new Intl.Collator(undefined, { numeric: true });
  const rank = (channel: ChannelRecord) => {
    if (sort === 'members') return channel.subscriberCount;
    return sort === 'traffic' ? (channel.weeklyTraffic ?? 0) : 0;
  };
  return channels.sort((a, b) => rank(b) - rank(a) || collator.compare(a.name, b.name));
}
