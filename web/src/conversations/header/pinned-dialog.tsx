import { getMessages } from '@heddle/client/calls/operations.ts';
import { type MessageRecord, recordOf } from '@heddle/client/model/messages/message-record.ts';
import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import type { PinnedEntry } from '@heddle/client/model/messages/pinned-messages.ts';
import { type ReactNode, useMemo } from 'react';
import { pin } from '../../actions/pinning.ts';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { useResponse } from '../../base/use-response.ts';
import { messageText } from '../../content/message-text.ts';
import { Banner } from '../../design/banner.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { UnpinIcon } from '../../design/icons.ts';
import { Skeleton } from '../../design/skeleton.tsx';
import { routeOfNarrow, topicLabel, userName } from '../../shown/names.ts';
import { problemText } from '../../shown/problem-text.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { UserAvatar } from '../../shown/user-mark.tsx';
import styles from './pinned-dialog.module.css';

interface Props {
  readonly channelId: number;
  /** Undefined: the list of the channel. */
  readonly topic: string | undefined;
  readonly onClose: () => void;
}

/** The pinned messages of a channel, or of a topic with those of its channel. */
export default function PinnedDialog({ channelId, topic, onClose }: Props): ReactNode {
  const { model } = useApp();
  const { pinned } = model.cache;
  useChangesOf(pinned.changesOf, channelId);
  const entries = pinned.of(channelId, topic);
  const { records, problem } = useRecords(entries);
  const sections = [
    { title: t('In this topic'), list: entries.filter(({ place }) => place === 'topic') },
    { title: t('In the channel'), list: entries.filter(({ place }) => place === 'channel') },
  ].filter(({ list }) => list.length > 0);
  return (
    <Dialog title={t('Pinned messages')} isOpen onOpenChange={onClose} isDismissable>
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {entries.length === 0 && <p>{t('Nothing is pinned here any more.')}</p>}
      {sections.map(({ title, list }) => (
        <section key={title} aria-label={title}>
          {topic !== undefined && <h3 className={styles.title}>{title}</h3>}
          <ul className={styles.list}>
            {list.map((entry) => {
              const record = records.get(entry.messageId);
              if (record !== undefined)
                return <Entry key={entry.messageId} entry={entry} record={record} onOpen={onClose} />;
              return (
                <li key={entry.messageId}>
                  <Skeleton kind="row" count={1} />
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}

interface EntryProps {
  readonly entry: PinnedEntry;
  readonly record: MessageRecord;
  readonly onOpen: () => void;
}

function Entry({ entry, record, onOpen }: EntryProps): ReactNode {
  const app = useApp();
  const { model } = app;
  useChanges(model.mutedUsers.changes);
  const text = useMemo(() => messageText(record.content), [record.content]);
  const { id, senderId, place, timestamp } = record;
  const channel = place.kind === 'topic' ? model.channels.get(place.channelId) : undefined;
  const mayUnpin = channel !== undefined && model.permissions.messages.pin(channel).allowed;
  const name = model.users.get(senderId)?.name ?? record.senderName;
  const shown = text === '' ? t('A message without text') : text;
  const date = new Date(timestamp * 1000);
  return (
    <li className={styles.entry}>
      <RouteLink
        to={routeOfNarrow([...narrowOfPlace(place, model.ownId), { operator: 'near', operand: id }])}
        className={styles.link}
        onClick={onOpen}
      >
        <UserAvatar userId={senderId} size="s" />
        <span className={styles.texts}>
          <span className={styles.head}>
            <span className={styles.name}>{name}</span>
            <time dateTime={date.toISOString()}>{formatDateTime(date)}</time>
          </span>
          <span className={styles.text}>{model.mutedUsers.has(senderId) ? t('Message of a muted person') : shown}</span>
          <span className={styles.details}>
            {entry.place === 'channel' && `${topicLabel(model, entry.topic).text} · `}
            {t('Pinned by {name}', { name: userName(model, entry.userId) })}
          </span>
        </span>
      </RouteLink>
      {mayUnpin && (
        <IconButton icon={UnpinIcon} label={t('Unpin')} size="small" onPress={() => void pin(app, record, undefined)} />
      )}
    </li>
  );
}

interface Records {
  readonly records: ReadonlyMap<number, MessageRecord>;
  readonly problem: string | undefined;
}

/** The pinned messages, of which the client may have loaded only some. */
function useRecords(entries: readonly PinnedEntry[]): Records {
  const { model, connection } = useApp();
  const ids = entries.map(({ messageId }) => messageId);
  const { value, error } = useResponse(ids.join(), async () => {
    if (ids.length === 0) return [];
    const parameters = { message_ids: ids, allow_empty_topic_name: true, client_gravatar: false };
    const { messages } = await getMessages(connection, parameters, { retries: 2 });
    return messages.map((message) => recordOf(message, model.ownId));
  });
  const records = new Map((value ?? []).map((record) => [record.id, record]));
  for (const id of ids) {
    const known = model.cache.messages.get(id);
    if (known !== undefined) records.set(id, known);
  }
  return { records, problem: error === undefined ? undefined : problemText(error) };
}
