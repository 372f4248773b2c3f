import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { memo, type ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatFull, formatTime } from '../base/i18n-formats.ts';
import { useChangesOf } from '../base/use-changes.ts';
import { MessageContent } from '../content/message-content.tsx';
import { classes } from '../design/classes.ts';
import { StarIcon } from '../design/icons.ts';
import { EditMessage, editStore, MessageActions, ReactionsRow, useRowGestures } from './actions/index.ts';
import styles from './message-row.module.css';
import { Sender, SenderPicture } from './sender.tsx';

interface MessageRowProps {
  readonly id: number;
  readonly showsSender: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (id: number) => void;
}

/** One message. It renders again when this message changes, not when others do. */
export const MessageRow = memo(function MessageRow({
  id,
  showsSender,
  isSelected,
  onSelect,
}: MessageRowProps): ReactNode {
  const model = useModel();
  const { messages } = model.cache;
  useChangesOf(messages.changesOf, id);
  useChangesOf(editStore.changesOf, id);
  const gestures = useRowGestures(id);
  const record = messages.get(id);
  if (record === undefined) return null;
  const edit = editStore.get(model.ownId, id);
  const isMentioned = record.isMentioned || record.isChannelMentioned || record.isTopicMentioned;
  return (
    <article
      className={classes(
        styles.message,
        showsSender && styles.first,
        isMentioned && styles.mentioned,
        isSelected && styles.selected,
        !record.isRead && styles.unread,
      )}
      aria-label={labelOf(model, record)}
      data-message-id={id}
      tabIndex={isSelected ? 0 : -1}
      onFocus={() => onSelect(id)}
      {...gestures.props}
    >
      <div className={styles.gutter}>
        {showsSender ? <SenderPicture record={record} /> : <MessageTime record={record} className={styles.quietTime} />}
      </div>
      <div className={styles.body}>
        {showsSender && !record.isMe && (
          <div className={styles.head}>
            <Sender record={record} />
            <MessageTime record={record} className={styles.time} />
            <ChangeNote record={record} />
            <StarMark record={record} />
          </div>
        )}
        {edit === undefined ? (
          <div className={styles.text}>
            {record.isMe && <Sender record={record} />}
            <MessageContent record={record} />
            {(!showsSender || record.isMe) && <ChangeNote record={record} />}
            {(!showsSender || record.isMe) && <StarMark record={record} />}
          </div>
        ) : (
          <EditMessage record={record} edit={edit} />
        )}
        <ReactionsRow record={record} />
      </div>
      {edit === undefined && (gestures.isNear || isSelected) && <MessageActions record={record} />}
    </article>
  );
});

/** What screen readers say first: the sender and the time. */
function labelOf(model: Model, record: MessageRecord): string {
  const name = model.users.get(record.senderId)?.name ?? record.senderName;
  return t('{name}, {time}', { name, time: formatTime(new Date(record.timestamp * 1000)) });
}

function MessageTime({
  record,
  className,
}: {
  readonly record: MessageRecord;
  readonly className: string | undefined;
}) {
  const date = new Date(record.timestamp * 1000);
  return (
    <time className={className} dateTime={date.toISOString()} title={formatFull(date)}>
      {formatTime(date)}
    </time>
  );
}

/** Says that a message was edited or moved. */
function ChangeNote({ record }: { readonly record: MessageRecord }): ReactNode {
  const { editedAt, movedAt } = record;
  const at = editedAt ?? movedAt;
  if (at === undefined) return null;
  return (
    <span className={styles.note} title={formatFull(new Date(at * 1000))}>
      {editedAt === undefined ? t('moved') : t('edited')}
    </span>
  );
}

/** Marks a message to which the user gave a star. */
function StarMark({ record }: { readonly record: MessageRecord }): ReactNode {
  if (!record.isStarred) return null;
  return <StarIcon role="img" aria-label={t('Starred')} className={styles.star} />;
}
