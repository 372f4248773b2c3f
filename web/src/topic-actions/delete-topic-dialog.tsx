import { deleteTopic } from '@heddle/client/calls/operations.ts';
import type { TopicPlace } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { ConfirmDialog } from '../design/dialog.tsx';
import { TextField } from '../design/text-field.tsx';
import { channelName, topicLabel } from '../shown/names.ts';
import { useRequest } from '../shown/use-request.ts';
import { countText } from './count-text.ts';
import styles from './topic-actions.module.css';
import { countMessages, type MessageCount } from './topic-messages.ts';

interface Props {
  readonly place: TopicPlace;
  readonly onClose: () => void;
}

/** Asks before all messages of a topic are deleted. */
export default function DeleteTopicDialog({ place, onClose }: Props): ReactNode {
  const app = useApp();
  const { model, connection } = app;
  const [count, setCount] = useState<MessageCount>();
  const [typed, setTyped] = useState('');
  const { isPending, problem, setProblem, send } = useRequest();
  const { text: name } = topicLabel(model, place.topic);
  useEffect(() => {
    let isOpen = true;
    // Without the number, the question is still clear.
    countMessages(app, place, undefined).then(
      (result) => isOpen && setCount(result),
      () => undefined,
    );
    return () => {
      isOpen = false;
    };
  }, [app, place]);
  const confirm = async () => {
    if (typed.trim() !== name) {
      setProblem(t('Type the name of the topic to confirm.'));
      return;
    }
    const parameters = { stream_id: place.channelId, topic_name: place.topic };
    const request = async () => {
      // The server deletes as many messages as it can in one request.
      while (!(await deleteTopic(connection, parameters)).complete);
    };
    if (!(await send(request))) return;
    toasts.show({ text: t('Topic deleted') });
    onClose();
  };
  return (
    <ConfirmDialog
      title={t('Delete the topic “{name}”?', { name })}
      isOpen
      onOpenChange={onClose}
      confirmLabel={t('Delete topic')}
      onConfirm={() => void confirm()}
      isDanger
      isPending={isPending}
      error={problem}
    >
      <div className={styles.fields}>
        <p>
          {t('All its messages in {channel} disappear for everybody. This cannot be undone.', {
            channel: channelName(model, place.channelId),
          })}{' '}
          {count !== undefined && countText(count)}
        </p>
        <TextField
          label={t('To confirm, type the name of the topic')}
          placeholder={name}
          value={typed}
          onChange={setTyped}
        />
      </div>
    </ConfirmDialog>
  );
}
