import { getMessageHistory } from '@heddle/client/calls/operations.ts';
import type { MessageSnapshot } from '@heddle/client/calls/types.ts';
import { keyOf } from '@heddle/client/model/messages/places.ts';
import type { ReactNode } from 'react';
import { useApp, useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatFull, formatShort } from '../../base/i18n-formats.ts';
import { MessageHtml } from '../../content/message-html-view.tsx';
import { Banner } from '../../design/banner.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { channelName, topicLabel, userName } from '../../shown/names.ts';
import { UserAvatar } from '../../shown/user-mark.tsx';
import type { MessageDialogProps } from '../actions/dialog-props.ts';
import { useFetched } from '../actions/use-fetched.ts';
import { Difference } from '../edit/difference.tsx';
import { changesOf } from './changes-of.ts';
import styles from './history.module.css';

/** All versions of a message with what changed in each, newest first. */
export default function HistoryDialog({ record, onClose }: MessageDialogProps): ReactNode {
  const { connection } = useApp();
  const { value, problem } = useFetched(
    () => getMessageHistory(connection, { message_id: record.id, allow_empty_topic_name: true }),
    // A new version while the dialog is open appears, too. Two changes can have the same second.
    [record.id, record.editedAt, record.movedAt, keyOf(record.place), record.content].join(' '),
  );
  return (
    <Dialog title={t('Edit history')} isOpen onOpenChange={onClose} isDismissable>
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {value === undefined && problem === undefined && <Skeleton kind="message" count={2} />}
      <ol className={styles.versions} reversed>
        {value?.message_history.toReversed().map((version, index, { length }) => (
          <li // biome-ignore lint/suspicious/noArrayIndexKey: counted from the oldest, versions keep their places.
            key={length - index}
            className={styles.version}
          >
            <Version version={version} isFirst={index === length - 1} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

interface VersionProps {
  readonly version: MessageSnapshot;
  readonly isFirst: boolean;
}

function Version({ version, isFirst }: VersionProps): ReactNode {
  const model = useModel();
  const { user_id: userId, timestamp } = version;
  const date = new Date(timestamp * 1000);
  const changes = changesOf(version);
  const name = userId === null ? t('Unknown user') : userName(model, userId);
  return (
    <>
      <div className={styles.head}>
        {userId !== null && <UserAvatar userId={userId} size="s" />}
        <span className={styles.name}>{name}</span>
        <span className={styles.what}>{isFirst ? t('wrote') : whatOf(changes)}</span>
        <time className={styles.time} dateTime={date.toISOString()} title={formatFull(date)}>
          {formatShort(date, new Date())}
        </time>
      </div>
      {isFirst && <MessageHtml html={version.rendered_content} />}
      {!isFirst && changes.content !== undefined && (
        <Difference before={changes.content.before} after={changes.content.after} />
      )}
      {changes.channel !== undefined && (
        <p className={styles.move}>
          <del>{channelName(model, changes.channel.before)}</del> →{' '}
          <ins>{channelName(model, changes.channel.after)}</ins>
        </p>
      )}
      {changes.topic !== undefined && (
        <p className={styles.move}>
          <del>{topicText(changes.topic.before)}</del> → <ins>{topicText(changes.topic.after)}</ins>
        </p>
      )}
    </>
  );

  /** With the mark of resolved topics, which can be the only difference. */
  function topicText(topic: string): string {
    return topic === '' ? topicLabel(model, topic).text : topic;
  }
}

function whatOf({ content, topic, channel }: ReturnType<typeof changesOf>): string {
  const isMoved = topic !== undefined || channel !== undefined;
  if (content === undefined) return t('moved the message');
  return isMoved ? t('edited and moved the message') : t('edited the message');
}
