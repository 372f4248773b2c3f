import type { Place } from '@heddle/client/model/messages/places.ts';
import type { ReactNode } from 'react';
import { useModel } from '../../base/app.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName, directName } from '../../shown/names.ts';
import { TopicText } from '../../shown/topic-text.tsx';
import { DirectMark, useUsers } from '../../shown/user-mark.tsx';
import styles from './lists.module.css';

export interface EntryProps {
  /** Where it goes, or what it is about. */
  title: ReactNode;
  time: ReactNode;
  /** What went wrong. */
  problem?: string | undefined;
  children: ReactNode;
  /** Buttons. */
  actions: ReactNode;
}

/** A draft, a scheduled message or a reminder. */
export function Entry({ title, time, problem, children, actions }: EntryProps): ReactNode {
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <span className={styles.time}>{time}</span>
      </div>
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      <div className={styles.content}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </li>
  );
}

/** The name of a conversation with its mark. */
export function PlaceTitle({ place }: { place: Place }): ReactNode {
  const model = useModel();
  useChanges(model.channels.orderChanges);
  useUsers(place.kind === 'direct' ? place.userIds : []);
  if (place.kind === 'direct') {
    return (
      <>
        <DirectMark userIds={place.userIds} />
        <span className={styles.name}>{directName(model, place.userIds)}</span>
      </>
    );
  }
  return (
    <>
      <ChannelMark channel={model.channels.get(place.channelId)} />
      <span className={styles.name}>
        {channelName(model, place.channelId)} <span aria-hidden="true">›</span> <TopicText topic={place.topic} />
      </span>
    </>
  );
}
