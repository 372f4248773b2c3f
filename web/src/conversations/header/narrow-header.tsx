import { channelOfNarrow, conditionsOf, type Narrow, placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import type { DirectPlace } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, Suspense } from 'react';
import { openDialog } from '../../actions/dialog-store.ts';
import { TargetMenuButton } from '../../actions/target-menu-button.tsx';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatRelative } from '../../base/i18n-formats.ts';
import { lazyComponent } from '../../base/load-code.ts';
import type { Route } from '../../base/routes.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { useMinute } from '../../base/use-minute.ts';
import { classes } from '../../design/classes.ts';
import { IconButton } from '../../design/icon-button.tsx';
import {
  DateIcon,
  DirectMessagesIcon,
  FeedIcon,
  type Icon,
  MentionIcon,
  PeopleIcon,
  SearchIcon,
  StarIcon,
  TopicIcon,
} from '../../design/icons.ts';
import { useFrame } from '../../frame/frame-context.ts';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { openSearch, searchShortcut } from '../../search/search-store.ts';
import { narrowText } from '../../search/term-texts.ts';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName, directName, routeOfChannel } from '../../shown/names.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { StatusEmojiMark } from '../../shown/status-mark.tsx';
import { TopicName } from '../../shown/topic-name.tsx';
import { UserAvatar, usePresence, useUsers } from '../../shown/user-mark.tsx';
import { topicShortcuts } from '../../topic-actions/shortcuts.ts';
import { ChannelDescription } from './channel-description.tsx';
import styles from './header.module.css';
import { JoinBar } from './join-bar.tsx';
import { PinnedButton } from './pinned-button.tsx';

const ResultsHeader = lazyComponent(() => import('./results-header.tsx'));

export interface NarrowHeaderProps {
  /** What the feed below shows. */
  narrow: Narrow;
  /** Whether there is a right column that a button can open. */
  hasDetails?: boolean;
}

/** Says what the feed below shows: a channel, a topic, people, or a search. */
export function NarrowHeader({ narrow, hasDetails = true }: NarrowHeaderProps): ReactNode {
  const model = useModel();
  const place = placeOfNarrow(narrow, model.ownId);
  const channelId = channelOfNarrow(narrow);
  if (place?.kind === 'direct') return <DirectHeader place={place} hasDetails={hasDetails} />;
  const isChannel = narrow.every(
    ({ operator }) => operator === 'channel' || operator === 'near' || operator === 'with',
  );
  if (channelId !== undefined && (place !== undefined || isChannel)) {
    return <ChannelHeader channelId={channelId} topic={place?.topic} narrow={narrow} hasDetails={hasDetails} />;
  }
  return <SearchHeader narrow={narrow} hasDetails={hasDetails} />;
}

interface Common {
  hasDetails: boolean;
}

function SearchButton({ narrow }: { narrow: Narrow }): ReactNode {
  return (
    <IconButton
      icon={SearchIcon}
      label={t('Search')}
      shortcut={searchShortcut}
      placement="bottom"
      onPress={() => openSearch(narrow)}
    />
  );
}

/** Views without a menu have a button. */
function DateButton({ narrow }: { narrow: Narrow }): ReactNode {
  return (
    <IconButton
      icon={DateIcon}
      label={t('Go to a date')}
      shortcut={topicShortcuts.date}
      placement="bottom"
      onPress={() => openDialog({ kind: 'date', narrow: conditionsOf(narrow) })}
    />
  );
}

interface ChannelHeaderProps extends Common {
  channelId: number;
  topic: string | undefined;
  narrow: Narrow;
}

function ChannelHeader({ channelId, topic, narrow, hasDetails }: ChannelHeaderProps): ReactNode {
  const model = useModel();
  const isPhone = useFrame().layout === 'phone';
  useChangesOf(model.channels.changesOf, channelId);
  const channel = model.channels.get(channelId);
  const topics: Route = { view: 'topics', channelId };
  const name = channelName(model, channelId);
  const title =
    topic === undefined ? (
      name
    ) : (
      <span className={classes(styles.path, styles.topicPath)}>
        <RouteLink to={isPhone ? topics : routeOfChannel(channelId)} className={styles.channelLink} data-name>
          {name}
        </RouteLink>
        <span className={styles.separator}>›</span>
        <span className={styles.name} data-name>
          <TopicName topic={topic} />
        </span>
      </span>
    );
  const subtitle = topic === undefined && channel !== undefined && channel.descriptionHtml !== '' && (
    <ChannelDescription html={channel.descriptionHtml} />
  );
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<ChannelMark channel={channel} />}
        title={title}
        {...(subtitle && { subtitle })}
        hasDetails={hasDetails}
        actions={
          <>
            {channel !== undefined && !model.account.isSpectator && (
              <PinnedButton channelId={channelId} topic={topic} />
            )}
            {isPhone && topic === undefined && (
              <RouteLink to={topics} className={styles.topics} aria-label={t('Topics')}>
                <TopicIcon aria-hidden="true" />
              </RouteLink>
            )}
            {channel !== undefined && <MemberCount channelId={channelId} count={channel.subscriberCount} />}
            <TargetMenuButton
              subject={
                topic === undefined
                  ? { kind: 'channel', channelId }
                  : { kind: 'topic', place: { kind: 'topic', channelId, topic } }
              }
            />
            {/* The name needs the room. The menu has the search, too. */}
            {!isPhone && (
              <SearchButton narrow={narrow.filter(({ operator }) => operator === 'channel' || operator === 'topic')} />
            )}
          </>
        }
      />
      {channel !== undefined && <JoinBar channel={channel} />}
    </>
  );
}

function MemberCount({ channelId, count }: { channelId: number; count: number }): ReactNode {
  const label = t('{count, plural, one {# member} other {# members}}', { count });
  return (
    <RouteLink
      to={{ view: 'channel', channelId, tab: 'subscribers' }}
      className={classes(styles.count, styles.members)}
      aria-label={label}
      title={label}
    >
      <PeopleIcon aria-hidden="true" />
      <span aria-hidden="true">{count}</span>
    </RouteLink>
  );
}

function DirectHeader({ place: { userIds }, hasDetails }: Common & { place: DirectPlace }): ReactNode {
  const model = useModel();
  useUsers(userIds);
  const [only, another] = userIds;
  const narrow: Narrow = [{ operator: 'dm', operand: userIds.length === 0 ? [model.ownId] : userIds }];
  const isGroup = another !== undefined;
  const userId = only ?? model.ownId;
  const shown = isGroup ? userIds.slice(0, 3) : [userId];
  return (
    <ColumnHeader
      column="main"
      leading={
        <span className={styles.faces}>
          {shown.map((id) => (
            <UserAvatar key={id} userId={id} size="s" hasPresence={!isGroup} />
          ))}
        </span>
      }
      title={
        <span className={styles.path}>
          {isGroup ? (
            <span className={styles.name} data-name>
              {directName(model, userIds)}
            </span>
          ) : (
            <RouteLink to={{ view: 'user', userId }} className={styles.name} data-name>
              {directName(model, userIds)}
            </RouteLink>
          )}
          {!isGroup && <StatusEmojiMark userId={userId} />}
        </span>
      }
      subtitle={
        isGroup ? (
          t('{count, plural, one {# person} other {# people}}', { count: userIds.length + 1 })
        ) : (
          <PersonState userId={userId} />
        )
      }
      hasDetails={hasDetails}
      actions={
        <>
          <DateButton narrow={narrow} />
          <SearchButton narrow={narrow} />
        </>
      }
    />
  );
}

/** The status of a person, or when they were last there. */
function PersonState({ userId }: { userId: number }): ReactNode {
  const model = useModel();
  useChangesOf(model.statuses.changesOf, userId);
  const presence = usePresence(userId);
  const now = useMinute();
  const user = model.users.get(userId);
  const text = model.statuses.of(userId)?.text ?? '';
  if (text !== '') return text;
  if (user !== undefined && !user.isActive) return t('This account is deactivated.');
  if (user?.isBot) return t('Bot');
  if (presence !== 'offline') return presence === 'active' ? t('Active') : t('Idle');
  const activeAt = model.presence.lastActiveAt(userId);
  if (activeAt === undefined || activeAt === 0) return t('Offline');
  return t('Last active {time}', { time: formatRelative(new Date(activeAt * 1000), new Date(now)) });
}

/** Feeds of several conversations that have a name of their own. */
function viewOf(narrow: Narrow, isSpectator: boolean): { icon: Icon; title: string; subtitle: string } | undefined {
  const [first, second] = narrow.filter(({ operator }) => operator !== 'near');
  const isCombined = first === undefined || (first.operator === 'is' && first.operand === 'muted' && first.negated);
  if (second === undefined && isCombined) {
    const subtitle = isSpectator
      ? t('All messages that anyone can read, the newest last')
      : t('All your messages, the newest last');
    return { icon: FeedIcon, title: t('Combined feed'), subtitle };
  }
  if (first === undefined || second !== undefined || first.negated || first.operator !== 'is') return undefined;
  if (first.operand === 'mentioned')
    return {
      icon: MentionIcon,
      title: t('Mentions'),
      subtitle: t('Messages that mention you, your groups or everybody'),
    };
  if (first.operand === 'starred')
    return { icon: StarIcon, title: t('Starred messages'), subtitle: t('Messages that you keep at hand') };
  if (first.operand === 'dm')
    return {
      icon: DirectMessagesIcon,
      title: t('Direct messages'),
      subtitle: t('All your direct messages, the newest last'),
    };
  return undefined;
}

function SearchHeader({ narrow, hasDetails }: Common & { narrow: Narrow }): ReactNode {
  const model = useModel();
  // Names of channels and people are part of the text.
  useChanges(model.channels.orderChanges);
  const view = viewOf(narrow, model.account.isSpectator);
  if (view !== undefined) {
    const { icon: ViewIcon, title, subtitle } = view;
    return (
      <ColumnHeader
        column="main"
        leading={<ViewIcon aria-hidden="true" className={styles.viewIcon} />}
        title={title}
        subtitle={subtitle}
        hasDetails={hasDetails}
        actions={
          <>
            <DateButton narrow={narrow} />
            <SearchButton narrow={narrow} />
          </>
        }
      />
    );
  }
  const leading = <SearchIcon aria-hidden="true" className={styles.viewIcon} />;
  const loading = (
    <ColumnHeader column="main" leading={leading} title={narrowText(model, narrow)} hasDetails={hasDetails} />
  );
  return (
    <Suspense fallback={loading}>
      <ResultsHeader narrow={narrow} leading={leading} hasDetails={hasDetails} />
    </Suspense>
  );
}
