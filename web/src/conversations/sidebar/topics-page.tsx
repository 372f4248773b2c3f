import type { ReactNode } from 'react';
import { TargetMenuButton } from '../../actions/target-menu-button.tsx';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useListPlace } from '../../base/list-place.ts';
import { useChangesOf } from '../../base/use-changes.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { ChannelIcon } from '../../design/icons.ts';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { routeOfChannel } from '../../shown/names.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import styles from './sidebar.module.css';
import { Topics } from './topics.tsx';

/** The topics of a channel, those with unread messages first. On a phone it is the way into a channel. */
export default function TopicsPage({ channelId }: { readonly channelId: number }): ReactNode {
  const model = useModel();
  useChangesOf(model.channels.changesOf, channelId);
  const place = useListPlace(`topics ${channelId}`);
  const channel = model.channels.get(channelId);
  if (channel === undefined) {
    return (
      <>
        <ColumnHeader column="main" title={t('Topics')} hasDetails />
        <EmptyState icon={ChannelIcon} title={t('This channel is not there')}>
          {t('It does not exist, or you cannot see it.')}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<ChannelMark channel={channel} />}
        title={channel.name}
        subtitle={t('Topics')}
        hasDetails
        actions={<TargetMenuButton subject={{ kind: 'channel', channelId }} />}
      />
      <RouteLink to={routeOfChannel(channelId)} className={styles.wholeChannel}>
        {t('All messages of the channel')}
      </RouteLink>
      <Topics key={channelId} channelId={channelId} hasUnreadFirst place={place} />
    </>
  );
}
