import type { MessageRecord } from '@heddle/client/model/message-record.ts';
import type { ReactNode } from 'react';
import { Avatar } from '../design/avatar.tsx';
import { pictureOf } from '../people/picture.ts';
import { useApp, useModel } from '../shell/app.tsx';
import { useChangesOf } from '../shell/use-changes.ts';
import styles from './sender.module.css';

interface SenderProps {
  readonly record: MessageRecord;
}

/** The current name of the sender, which leads to the profile. */
export function Sender({ record: { senderId, senderName } }: SenderProps): ReactNode {
  const { model, navigation } = useApp();
  useChangesOf(model.users.changesOf, senderId);
  const name = model.users.get(senderId)?.name ?? senderName;
  return (
    <button
      type="button"
      className={styles.name}
      data-user-card={senderId}
      onClick={() => navigation.go({ view: 'user', userId: senderId })}
    >
      {name}
    </button>
  );
}

export function SenderPicture({ record: { senderId, senderName } }: SenderProps): ReactNode {
  const model = useModel();
  useChangesOf(model.users.changesOf, senderId);
  const user = model.users.get(senderId);
  return (
    <span className={styles.picture} data-user-card={senderId}>
      <Avatar name={user?.name ?? senderName} src={pictureOf(user)} id={senderId} size="l" />
    </span>
  );
}
