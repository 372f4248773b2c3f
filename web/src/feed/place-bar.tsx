import { type Narrow, narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { type DirectPlace, keyOf, type Place, type TopicPlace } from '@heddle/client/model/messages/places.ts';
import { wholeViewOf } from '@heddle/client/model/messages/whole-view.ts';
import { type CSSProperties, type ReactNode, Suspense, useState } from 'react';
import { TargetMenuButton } from '../actions/target-menu-button.tsx';
import { type App, useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatDayOfYear, formatList, formatShortDay } from '../base/i18n-formats.ts';
import { lazyComponent } from '../base/load-code.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { useShowsMatches } from '../content/use-shows-matches.ts';
import { Count } from '../design/count.tsx';
import { currentOf } from '../shown/current.ts';
import { TopicName } from '../shown/topic-name.tsx';
import styles from './place-bar.module.css';

const PlaceActions = lazyComponent(() => import('./place-actions.tsx'));

interface PlaceBarProps {
  readonly place: Place;
  /** When the first of the messages was sent, in seconds since the epoch. */
  readonly timestamp: number;
  /** The first message below. In a search, it says what matches in the topic, and the link leads to it. */
  readonly firstId: number | undefined;
  /** The bar stays at the top. It has its actions at once, and is no heading, because the list has the heading already. */
  readonly isSticky?: boolean;
}

/** Where the messages below are, with links, their day, the unread count and the actions of the topic. */
export function PlaceBar({ place, timestamp, firstId, isSticky = false }: PlaceBarProps): ReactNode {
  // Buttons cost much, and a list has many bars. So the others get theirs when the pointer or the focus comes near.
  const [isNear, setNear] = useState(isSticky);
  const Name = isSticky ? 'div' : 'h2';
  const approach = () => setNear(true);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that the pointer or the focus is here.
    <div className={styles.bar} onPointerEnter={approach} onFocus={approach}>
      <Name className={styles.names}>
        {place.kind === 'topic' ? (
          <TopicNames place={place} firstId={firstId} />
        ) : (
          <DirectNames place={place} firstId={firstId} />
        )}
      </Name>
      <Facts place={place} timestamp={timestamp} />
      {place.kind === 'topic' && (
        <>
          {isNear && (
            <Suspense>
              <PlaceActions place={place} className={styles.actions} hasKeys={isSticky} />
            </Suspense>
          )}
          <TargetMenuButton subject={{ kind: 'topic', place }} size="small" />
        </>
      )}
    </div>
  );
}

/** The day of the messages, and how many of the conversation are unread. */
function Facts({ place, timestamp }: Pick<PlaceBarProps, 'place' | 'timestamp'>): ReactNode {
  const { model } = useApp();
  useChangesOf(model.unread.changesOf, keyOf(place));
  const count = model.unread.of(place)?.ids.size ?? 0;
  const date = new Date(timestamp * 1000);
  return (
    <>
      <Count value={count} label={t('{count, plural, one {# unread message} other {# unread messages}}', { count })} />
      <time className={styles.date} dateTime={date.toISOString()} title={formatDayOfYear(date)}>
        {formatShortDay(date, new Date())}
      </time>
    </>
  );
}

/** The conversation. A fragment such as a search leads to its hit there. */
function narrowAt({ model, navigation: { route } }: App, place: Place, firstId: number | undefined): Narrow {
  const narrow = narrowOfPlace(place, model.ownId);
  const isFragment = route.view === 'narrow' && wholeViewOf(route.narrow, model.ownId) === undefined;
  return isFragment && firstId !== undefined ? [...narrow, { operator: 'near', operand: firstId }] : narrow;
}

function TopicNames({ place, firstId }: { readonly place: TopicPlace } & Pick<PlaceBarProps, 'firstId'>): ReactNode {
  const app = useApp();
  const { model, navigation } = app;
  const { channelId, topic } = place;
  useChangesOf(model.channels.changesOf, channelId);
  useChanges(model.organization.changes);
  const showsMatches = useShowsMatches();
  const match = showsMatches && firstId !== undefined ? model.cache.messages.get(firstId)?.matchTopic : undefined;
  const channel = model.channels.get(channelId);
  const color = { '--channel': channel?.settings?.color ?? 'var(--edge)' } as CSSProperties;
  const toChannel = navigation.hashOf({ view: 'narrow', narrow: [{ operator: 'channel', operand: channelId }] });
  const toTopic = navigation.hashOf({ view: 'narrow', narrow: narrowAt(app, place, firstId) });
  // The feed of a channel has the name of the channel above.
  const isInChannel = currentOf(model, navigation.route).key === `c${channelId}`;
  return (
    <>
      {!isInChannel && (
        <>
          <a href={toChannel} className={styles.channel} style={color}>
            {channel?.name ?? t('Unknown channel')}
          </a>
          <span aria-hidden="true" className={styles.separator}>
            ›
          </span>
        </>
      )}
      <a href={toTopic} className={styles.topic}>
        {match !== undefined ? (
          <TopicName topic={topic} match={match} />
        ) : topic === '' ? (
          <em>{model.organization.settings.empty_topic_display_name}</em>
        ) : (
          topic
        )}
      </a>
    </>
  );
}

function DirectNames({ place, firstId }: { readonly place: DirectPlace } & Pick<PlaceBarProps, 'firstId'>): ReactNode {
  const app = useApp();
  const { model, navigation } = app;
  const { userIds } = place;
  useChanges(model.users.changes);
  const narrow = narrowAt(app, place, firstId);
  const names = userIds.map((id) => model.users.get(id)?.name ?? t('Unknown user'));
  return (
    <a href={navigation.hashOf({ view: 'narrow', narrow })} className={styles.topic}>
      {names.length === 0 ? t('Messages with yourself') : t('You and {names}', { names: formatList(names) })}
    </a>
  );
}
