import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges } from '../base/use-changes.ts';
import { ChannelDescription } from '../conversations/header/channel-description.tsx';
import { Banner } from '../design/banner.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { ChannelIcon } from '../design/icons.ts';
import { Tabs } from '../design/tabs.tsx';
import { Page } from '../settings/page.tsx';
import { ChannelMark } from '../shown/channel-mark.tsx';
import { routeOfChannel } from '../shown/names.ts';
import { RouteLink } from '../shown/route-link.tsx';
import styles from './channels.module.css';
import { GeneralTab } from './general-tab.tsx';
import { MembersTab } from './members-tab.tsx';
import { MembershipButton } from './membership.tsx';
import { PersonalTab } from './personal-tab.tsx';

type Tab = 'general' | 'personal' | 'subscribers';

interface ChannelViewProps {
  readonly channelId: number;
  readonly tab: Tab;
}

/** The settings and the members of a channel. */
export function ChannelView({ channelId, tab }: ChannelViewProps): ReactNode {
  const { model } = useApp();
  useChanges(model.permissions.changes);
  const channel = model.channels.get(channelId);
  if (channel === undefined) {
    return (
      <Page title={t('Channels')} back={{ view: 'channels', tab: 'subscribed' }}>
        <EmptyState icon={ChannelIcon} title={t('This channel is not there')}>
          {t('It does not exist, or you cannot see it.')}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={channel.name}
      back={{ view: 'channels', tab: listOf(channel) }}
      actions={<MembershipButton channel={channel} />}
    >
      <p className={styles.lead}>
        <ChannelMark channel={channel} />
        <span className={styles.about}>
          {channel.description === '' ? channel.name : <ChannelDescription html={channel.descriptionHtml} />}
        </span>
        <RouteLink to={routeOfChannel(channelId)}>{t('Show messages')}</RouteLink>
      </p>
      {channel.isArchived && <Banner kind="warning">{t('This channel is archived. Nobody can write in it.')}</Banner>}
      <ChannelTabs key={channelId} channel={channel} tab={tab} />
    </Page>
  );
}

function ChannelTabs({ channel, tab }: { readonly channel: ChannelRecord; readonly tab: Tab }): ReactNode {
  const { navigation } = useApp();
  const tabs = [
    { key: 'general' as const, label: t('General'), content: <GeneralTab channel={channel} /> },
    ...(channel.isSubscribed
      ? [{ key: 'personal' as const, label: t('Personal'), content: <PersonalTab channel={channel} /> }]
      : []),
    { key: 'subscribers' as const, label: t('Members'), content: <MembersTab channel={channel} /> },
  ];
  return (
    <Tabs
      label={t('Settings of the channel')}
      tabs={tabs}
      value={tabs.some(({ key }) => key === tab) ? tab : 'general'}
      onChange={(key) => navigation.replace({ view: 'channel', channelId: channel.id, tab: key })}
    />
  );
}

function listOf({ isArchived, isSubscribed }: ChannelRecord): 'archived' | 'subscribed' | 'available' {
  if (isArchived) return 'archived';
  return isSubscribed ? 'subscribed' : 'available';
}
