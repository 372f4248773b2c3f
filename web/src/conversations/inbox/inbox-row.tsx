import { type DirectPlace, keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import { memo, type ReactNode, Suspense } from 'react';
import { useMenuGestures } from '../../actions/use-menu-gestures.ts';
import { useApp, useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { lazyComponent } from '../../base/load-code.ts';
import { useChangesOf } from '../../base/use-changes.ts';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { Count } from '../../design/count.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { ChevronRightIcon, ReadIcon } from '../../design/icons.ts';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName, directName, placeName, routeOfPlace } from '../../shown/names.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { StatusEmojiMark } from '../../shown/status-mark.tsx';
import { TopicText } from '../../shown/topic-text.tsx';
import { UnreadMarks } from '../../shown/unread-marks.tsx';
import { DirectMark, useUsers } from '../../shown/user-mark.tsx';
import { markChannelAsRead, markDirectAsRead, markPlaceAsRead } from '../../topic-actions/mark-read.ts';
import styles from './inbox.module.css';
import type { InboxRow, InboxSection } from './rows.ts';

const LastMessage = lazyComponent(() => import('./last-message.tsx'));

interface State {
  isActive: boolean;
}

type Toggle = (key: string, isOpen: boolean) => void;

export interface InboxRowProps extends State {
  row: InboxRow;
  onToggle: Toggle;
}

export function InboxRowView({ row, isActive, onToggle }: InboxRowProps): ReactNode {
  switch (row.kind) {
    case 'section':
      return <SectionHeading {...row} rowKey={row.key} isActive={isActive} onToggle={onToggle} />;
    case 'channel':
      return <ChannelHeading channelId={row.channelId} isOpen={row.isOpen} isActive={isActive} onToggle={onToggle} />;
    case 'conversation':
      return <Conversation place={row.place} isActive={isActive} />;
  }
}

interface SectionProps extends State {
  rowKey: string;
  section: InboxSection;
  count: number;
  isOpen: boolean;
  onToggle: Toggle;
}

function SectionHeading({ rowKey, section, count, isOpen, isActive, onToggle }: SectionProps): ReactNode {
  const app = useApp();
  const label = t('{count, plural, one {# unread message} other {# unread messages}}', { count });
  return (
    <div className={styles.section}>
      <h2 className={styles.heading}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          tabIndex={isActive ? 0 : -1}
          onClick={() => onToggle(rowKey, !isOpen)}
          data-primary
        >
          <ChevronRightIcon aria-hidden="true" className={styles.chevron} />
          <span className={styles.text}>{titleOf(section)}</span>
          {!isOpen && <Count value={count} label={label} />}
        </button>
      </h2>
      {section === 'direct' && (
        <MarkAllButton
          isActive={isActive}
          label={t('Mark all as read: {name}', { name: t('Direct messages') })}
          onPress={() => markDirectAsRead(app)}
        />
      )}
    </div>
  );
}

function titleOf(section: InboxSection): string {
  if (section === 'direct') return t('Direct messages');
  if (section === 'pinned') return t('Pinned channels');
  return section === 'other' ? t('Channels') : section.name;
}

interface ChannelProps extends State {
  channelId: number;
  isOpen: boolean;
  onToggle: Toggle;
}

const ChannelHeading = memo(function ChannelHeading({
  channelId,
  isOpen,
  isActive,
  onToggle,
}: ChannelProps): ReactNode {
  const app = useApp();
  const { model } = app;
  useChangesOf(model.channels.changesOf, channelId);
  useChangesOf(model.unread.changesOf, `c${channelId}`);
  const channel = model.channels.get(channelId);
  const { count, mutedCount, mentions } = model.unread.ofChannel(channelId);
  const gestures = useMenuGestures({ kind: 'channel', channelId });
  const name = channelName(model, channelId);
  return (
    <div className={styles.channel}>
      <h2 className={styles.heading}>
        <button
          type="button"
          className={styles.channelToggle}
          aria-expanded={isOpen}
          tabIndex={isActive ? 0 : -1}
          onClick={() => onToggle(`c${channelId}`, !isOpen)}
          data-primary
          {...gestures}
        >
          <ChannelMark channel={channel} />
          <span className={styles.text}>{name}</span>
          <UnreadMarks count={count > 0 ? count : mutedCount} mentions={mentions} isMuted={count === 0} />
        </button>
      </h2>
      <MarkAllButton
        isActive={isActive}
        label={t('Mark all as read: {name}', { name })}
        onPress={() => markChannelAsRead(app, channelId)}
      />
    </div>
  );
});

const Conversation = memo(function Conversation({ place, isActive }: State & { place: Place }): ReactNode {
  const app = useApp();
  const { model } = app;
  useChangesOf(model.unread.changesOf, keyOf(place));
  const unread = model.unread.of(place);
  const isMuted = place.kind === 'topic' && model.isTopicMuted(place.channelId, place.topic);
  const gestures = useMenuGestures(place.kind === 'topic' ? { kind: 'topic', place } : undefined);
  return (
    <div className={styles.conversation}>
      <RouteLink
        to={routeOfPlace(model, place)}
        className={classes(styles.link, isMuted && styles.muted)}
        tabIndex={isActive ? 0 : -1}
        data-primary
        {...gestures}
      >
        {place.kind === 'direct' ? <People place={place} /> : <TopicText topic={place.topic} />}
        <Marks place={place} count={unread?.ids.size ?? 0} mentions={unread?.mentions.size ?? 0} isMuted={isMuted} />
      </RouteLink>
      <MarkButton
        isActive={isActive}
        label={t('Mark {name} as read', { name: placeName(model, place) })}
        onPress={() => markPlaceAsRead(app, place)}
      />
    </div>
  );
});

function Marks({ place, ...marks }: { place: Place; count: number; mentions: number; isMuted: boolean }): ReactNode {
  const model = useModel();
  useChangesOf(model.topicPolicies.changesOf, place.kind === 'topic' ? place.channelId : 0);
  const policy = place.kind === 'topic' ? model.topicPolicies.policyOf(place.channelId, place.topic) : 'inherit';
  return <UnreadMarks {...marks} policy={policy} />;
}

function People({ place }: { place: DirectPlace }): ReactNode {
  const model = useModel();
  const { userIds } = place;
  useUsers(userIds);
  const [only, another] = userIds;
  return (
    <>
      <span className={styles.mark}>
        <DirectMark userIds={userIds} />
      </span>
      <span className={styles.text}>
        {directName(model, userIds)}
        {another === undefined && <StatusEmojiMark userId={only ?? model.ownId} />}
      </span>
      <Suspense>
        <LastMessage place={place} className={styles.last} />
      </Suspense>
    </>
  );
}

/** Marks many conversations, so it says in words what it does. */
function MarkAllButton({ label, isActive, onPress }: State & { label: string; onPress: () => void }): ReactNode {
  return (
    <span className={classes(styles.action, styles.markAll)}>
      <Button
        kind="quiet"
        size="small"
        icon={ReadIcon}
        aria-label={label}
        excludeFromTabOrder={!isActive}
        onPress={onPress}
      >
        {t('[row] Mark all as read')}
      </Button>
    </span>
  );
}

function MarkButton({ label, isActive, onPress }: State & { label: string; onPress: () => void }): ReactNode {
  return (
    <span className={styles.action}>
      <IconButton
        icon={ReadIcon}
        label={label}
        size="small"
        onPress={onPress}
        placement="left"
        excludeFromTabOrder={!isActive}
      />
    </span>
  );
}
