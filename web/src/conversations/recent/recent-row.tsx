import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { LastMessage, RecentConversation } from '@heddle/client/model/messages/recent.ts';
import { memo, type ReactNode } from 'react';
import { useMenuGestures } from '../../actions/use-menu-gestures.ts';
import { useApp, useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatFull, formatList, formatShort } from '../../base/i18n-formats.ts';
import { useChangesOf } from '../../base/use-changes.ts';
import { useMinute } from '../../base/use-minute.ts';
import { classes } from '../../design/classes.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { ReadIcon } from '../../design/icons.ts';
import { VisuallyHidden } from '../../design/visually-hidden.tsx';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName, directName, placeName, routeOfChannel, routeOfPlace, userName } from '../../shown/names.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { TopicText } from '../../shown/topic-text.tsx';
import { UnreadMarks } from '../../shown/unread-marks.tsx';
import { DirectMark, UserAvatar, useUsers } from '../../shown/user-mark.tsx';
import { markPlaceAsRead } from '../../topic-actions/mark-read.ts';
import { lastText } from '../last-text.ts';
import { LastWords } from '../last-words.tsx';
import styles from './recent.module.css';
import { TablePart } from './table-part.tsx';

const MAX_FACES = 4;

interface RowProps {
  conversation: RecentConversation;
  isActive: boolean;
}

/** A row of the table of recent conversations. */
export const RecentRow = memo(function RecentRow({ conversation, isActive }: RowProps): ReactNode {
  const app = useApp();
  const { model } = app;
  const { place, timestamp, senderIds, last } = conversation;
  const key = keyOf(place);
  useChangesOf(model.unread.changesOf, key);
  useChangesOf(model.topicPolicies.changesOf, place.kind === 'topic' ? place.channelId : 0);
  const unread = model.unread.of(place);
  const count = unread?.ids.size ?? 0;
  const isMuted = place.kind === 'topic' && model.isTopicMuted(place.channelId, place.topic);
  const policy = place.kind === 'topic' ? model.topicPolicies.policyOf(place.channelId, place.topic) : 'inherit';
  const date = new Date(timestamp * 1000);
  const gestures = useMenuGestures(place.kind === 'topic' ? { kind: 'topic', place } : undefined);
  return (
    <div {...gestures} className={classes(styles.row, count > 0 && !isMuted && styles.unread, isMuted && styles.muted)}>
      <TablePart role="cell" className={styles.conversation}>
        {place.kind === 'topic' ? (
          <Topic place={place} last={last} isActive={isActive} />
        ) : (
          <People place={place} last={last} isActive={isActive} />
        )}
      </TablePart>
      <TablePart role="cell" className={styles.people}>
        <Faces userIds={senderIds} />
      </TablePart>
      <TablePart role="cell" className={styles.count}>
        <UnreadMarks count={count} mentions={unread?.mentions.size ?? 0} isMuted={isMuted} policy={policy} />
        {count > 0 && (
          <span className={styles.action}>
            <IconButton
              icon={ReadIcon}
              label={t('Mark {name} as read', { name: placeName(model, place) })}
              size="small"
              placement="left"
              excludeFromTabOrder={!isActive}
              onPress={() => markPlaceAsRead(app, place)}
            />
          </span>
        )}
      </TablePart>
      <TablePart role="cell" className={styles.time}>
        <time dateTime={date.toISOString()} title={formatFull(date)}>
          {formatShort(date, new Date(useMinute()))}
        </time>
      </TablePart>
    </div>
  );
});

interface NameProps<Kind extends Place['kind']> {
  place: Extract<Place, { kind: Kind }>;
  last: LastMessage;
  isActive: boolean;
}

function Topic({ place, last, isActive }: NameProps<'topic'>): ReactNode {
  const model = useModel();
  useChangesOf(model.channels.changesOf, place.channelId);
  return (
    <>
      <span className={styles.mark}>
        <ChannelMark channel={model.channels.get(place.channelId)} />
      </span>
      <span className={styles.names}>
        <RouteLink to={routeOfPlace(model, place)} className={styles.name} tabIndex={isActive ? 0 : -1} data-primary>
          <TopicText topic={place.topic} />
        </RouteLink>
        <RouteLink to={routeOfChannel(place.channelId)} className={styles.channel} tabIndex={isActive ? 0 : -1}>
          {channelName(model, place.channelId)}
        </RouteLink>
        <Last {...last} />
      </span>
    </>
  );
}

function People({ place, last, isActive }: NameProps<'direct'>): ReactNode {
  const model = useModel();
  useUsers([...place.userIds, last.senderId]);
  return (
    <>
      <span className={styles.mark}>
        <DirectMark userIds={place.userIds} />
      </span>
      <span className={styles.names}>
        <RouteLink to={routeOfPlace(model, place)} className={styles.name} tabIndex={isActive ? 0 : -1} data-primary>
          {directName(model, place.userIds)}
        </RouteLink>
        <span className={styles.last}>
          <LastWords place={place} last={last} />
        </span>
      </span>
    </>
  );
}

/** Who wrote last, and the beginning of what they wrote. */
function Last(last: LastMessage): ReactNode {
  const model = useModel();
  useUsers([last.senderId]);
  return <span className={styles.last}>{lastText(model, last)}</span>;
}

/** Those who wrote last. */
function Faces({ userIds }: { userIds: readonly number[] }): ReactNode {
  const model = useModel();
  useUsers(userIds.slice(0, MAX_FACES));
  const names = userIds.slice(0, 12).map((id) => userName(model, id));
  const text = formatList(names);
  return (
    <span className={styles.faces} title={text}>
      <VisuallyHidden>{text}</VisuallyHidden>
      {userIds.slice(0, MAX_FACES).map((id) => (
        <UserAvatar key={id} userId={id} size="s" />
      ))}
      {userIds.length > MAX_FACES && <span aria-hidden="true">+{userIds.length - MAX_FACES}</span>}
    </span>
  );
}
