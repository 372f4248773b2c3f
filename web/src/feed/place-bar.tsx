import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import type { CSSProperties, ReactNode } from 'react';
import { TargetMenuButton } from '../actions/target-menu-button.tsx';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatList } from '../base/i18n-formats.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { useShowsMatches } from '../content/use-shows-matches.ts';
import { TopicName } from '../shown/topic-name.tsx';
import styles from './place-bar.module.css';

/** Where the messages below are, with a link to the conversation. */
export function PlaceBar({
  place,
  firstId,
}: {
  readonly place: Place;
  readonly firstId?: number | undefined;
}): ReactNode {
  return (
    <h2 className={styles.bar}>
      {place.kind === 'topic' ? <TopicBar {...place} firstId={firstId} /> : <DirectBar {...place} />}
    </h2>
  );
}

interface TopicBarProps extends Extract<Place, { kind: 'topic' }> {
  /** The first message below. In a search, it says what matches in the topic. */
  readonly firstId: number | undefined;
}

function TopicBar({ channelId, topic, firstId }: TopicBarProps): ReactNode {
  const { model, navigation } = useApp();
  useChangesOf(model.channels.changesOf, channelId);
  useChanges(model.organization.changes);
  const showsMatches = useShowsMatches();
  const match = showsMatches && firstId !== undefined ? model.cache.messages.get(firstId)?.matchTopic : undefined;
  const channel = model.channels.get(channelId);
  const color = { '--channel': channel?.settings?.color ?? 'var(--edge)' } as CSSProperties;
  const toChannel = navigation.hashOf({ view: 'narrow', narrow: [{ operator: 'channel', operand: channelId }] });
  const narrow = narrowOfPlace({ kind: 'topic', channelId, topic }, model.ownId);
  const toTopic = navigation.hashOf({ view: 'narrow', narrow });
  return (
    <>
      <a href={toChannel} className={styles.channel} style={color}>
        {channel?.name ?? t('Unknown channel')}
      </a>
      <span aria-hidden="true" className={styles.separator}>
        ›
      </span>
      <a href={toTopic} className={styles.topic}>
        {match !== undefined ? (
          <TopicName topic={topic} match={match} />
        ) : topic === '' ? (
          <em>{model.organization.settings.empty_topic_display_name}</em>
        ) : (
          topic
        )}
      </a>
      <TargetMenuButton subject={{ kind: 'topic', place: { kind: 'topic', channelId, topic } }} size="small" />
    </>
  );
}

function DirectBar({ userIds }: Extract<Place, { kind: 'direct' }>): ReactNode {
  const { model, navigation } = useApp();
  useChanges(model.users.changes);
  const narrow = narrowOfPlace({ kind: 'direct', userIds }, model.ownId);
  const names = userIds.map((id) => model.users.get(id)?.name ?? t('Unknown user'));
  return (
    <a href={navigation.hashOf({ view: 'narrow', narrow })} className={styles.topic}>
      {names.length === 0 ? t('Messages with yourself') : t('You and {names}', { names: formatList(names) })}
    </a>
  );
}
