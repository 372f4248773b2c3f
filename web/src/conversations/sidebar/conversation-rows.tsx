import { type DirectPlace, keyOf, type TopicPlace } from '@heddle/client/model/messages/places.ts';
import { memo, type ReactNode } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { loadedCode } from '../../base/load-code.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { ChevronRightIcon } from '../../design/icons.ts';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName, directName, routeOfPlace } from '../../shown/names.ts';
import { StatusEmojiMark } from '../../shown/status-mark.tsx';
import { TopicText } from '../../shown/topic-text.tsx';
import { UnreadMarks } from '../../shown/unread-marks.tsx';
import { DirectMark, useUsers } from '../../shown/user-mark.tsx';
import { opensListOfTopics, opensTopic, routeOfChannelClick } from '../channel-route.ts';
import styles from './sidebar.module.css';
import { SidebarLink } from './sidebar-row.tsx';

interface RowProps {
  isCurrent: boolean;
  isActive: boolean;
}

/** A direct conversation. */
export const DirectRow = memo(function DirectRow({ place, ...state }: RowProps & { place: DirectPlace }): ReactNode {
  const model = useModel();
  useUsers(place.userIds);
  useChangesOf(model.unread.changesOf, keyOf(place));
  const unread = model.unread.of(place);
  const count = unread?.ids.size ?? 0;
  const [only, another] = place.userIds;
  /** The row has room for the last message in its tooltip only. */
  const describe = async (row: HTMLElement): Promise<void> => {
    const { describeDirect } = await loadedCode(() => import('../last-direct.ts'));
    await describeDirect(model, place, row);
  };
  return (
    <SidebarLink
      {...state}
      to={routeOfPlace(model, place)}
      onPointerEnter={(row) => void describe(row)}
      mark={<DirectMark userIds={place.userIds} />}
      marks={<UnreadMarks count={count} mentions={unread?.mentions.size ?? 0} />}
      hasUnread={count > 0}
    >
      {directName(model, place.userIds)}
      {another === undefined && <StatusEmojiMark userId={only ?? model.ownId} />}
    </SidebarLink>
  );
});

/** The values of the setting `web_stream_unreads_count_display_policy`. */
const COUNTS = { unmuted: 2, none: 3 } as const;

interface ChannelRowProps extends RowProps {
  channelId: number;
  isOpen: boolean;
  onToggle: (channelId: number, isOpen: boolean) => void;
  onAllTopics: (channelId: number) => void;
}

/** A channel, with a button that shows its topics. */
export const ChannelRow = memo(function ChannelRow({
  channelId,
  isOpen,
  onToggle,
  onAllTopics,
  ...state
}: ChannelRowProps): ReactNode {
  const model = useModel();
  useChangesOf(model.channels.changesOf, channelId);
  useChangesOf(model.unread.changesOf, `c${channelId}`);
  useChanges(model.account.changes);
  useChangesOf(model.cache.topics.changesOf, channelId);
  const channel = model.channels.get(channelId);
  const { count, mutedCount, mentions } = model.unread.ofChannel(channelId);
  const isMuted = channel?.settings?.isMuted ?? false;
  const policy = model.account.settings.web_stream_unreads_count_display_policy;
  const isDot = policy === COUNTS.none || (policy === COUNTS.unmuted && isMuted);
  const name = channelName(model, channelId);
  return (
    <div
      className={styles.channel}
      // The topic to which a click leads must be known before the click.
      onPointerEnter={opensTopic(model) ? () => void model.cache.topics.load(channelId) : undefined}
    >
      <SidebarLink
        {...state}
        to={routeOfChannelClick(model, channelId)}
        menu={{ kind: 'channel', channelId }}
        onClick={opensListOfTopics(model) ? () => onAllTopics(channelId) : undefined}
        mark={<ChannelMark channel={channel} />}
        marks={
          <UnreadMarks
            count={count > 0 || !isMuted ? count : mutedCount}
            mentions={mentions}
            isMuted={count === 0}
            isDot={isDot}
          />
        }
        hasUnread={count > 0}
        isMuted={isMuted}
      >
        {name}
      </SidebarLink>
      <button
        type="button"
        className={styles.expand}
        aria-expanded={isOpen}
        aria-label={t('Topics of {name}', { name })}
        tabIndex={state.isActive ? 0 : -1}
        onClick={() => onToggle(channelId, !isOpen)}
      >
        <ChevronRightIcon aria-hidden="true" className={styles.chevron} />
      </button>
    </div>
  );
});

/** A topic of an open channel. */
export const TopicRow = memo(function TopicRow({
  place,
  level = 1,
  ...state
}: RowProps & { place: TopicPlace; level?: 0 | 1 }): ReactNode {
  const model = useModel();
  const { channelId, topic } = place;
  useChangesOf(model.unread.changesOf, keyOf(place));
  useChangesOf(model.topicPolicies.changesOf, channelId);
  const unread = model.unread.of(place);
  const count = unread?.ids.size ?? 0;
  const isMuted = model.isTopicMuted(channelId, topic);
  return (
    <SidebarLink
      {...state}
      to={routeOfPlace(model, place)}
      menu={{ kind: 'topic', place }}
      level={level}
      marks={
        <UnreadMarks
          count={count}
          mentions={unread?.mentions.size ?? 0}
          isMuted={isMuted}
          policy={model.topicPolicies.policyOf(channelId, topic)}
        />
      }
      hasUnread={count > 0 && !isMuted}
      isMuted={isMuted}
    >
      <TopicText topic={topic} />
    </SidebarLink>
  );
});
