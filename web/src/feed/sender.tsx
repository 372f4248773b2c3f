import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { useChangesOf } from '../base/use-changes.ts';
import { useContentHandlers } from '../content/handlers.tsx';
import { Avatar } from '../design/avatar.tsx';
import { pictureOf } from '../shown/picture.ts';
import styles from './sender.module.css';

interface SenderProps {
  readonly record: MessageRecord;
}

/** The current name of the sender, which opens the card. */
export function Sender({ record: { senderId, senderName } }: SenderProps): ReactNode {
  const model = useModel();
  const { openUser } = useContentHandlers();
  useChangesOf(model.users.changesOf, senderId);
  const name = model.users.get(senderId)?.name ?? senderName;
  return (
    <button
      type="button"
      className={styles.name}
      data-user-card={senderId}
      onClick={({ currentTarget }) => openUser(senderId, currentTarget)}
    >
      {name}
    </button>
  );
}

export function SenderPicture({ record: { senderId, senderName } }: SenderProps): ReactNode {
  const model = useModel();
  const { openUser } = useContentHandlers();
  useChangesOf(model.users.changesOf, senderId);
  const user = model.users.get(senderId);
  // The name beside it does the same for the keyboard and for screen readers.
  return (
    <button
      type="button"
      className={styles.picture}
      data-user-card={senderId}
      tabIndex={-1}
      aria-hidden="true"
      onClick={({ currentTarget }) => openUser(senderId, currentTarget)}
    >
      <Avatar name={user?.name ?? senderName} src={pictureOf(user)} id={senderId} size="l" />
    </button>
  );
}
