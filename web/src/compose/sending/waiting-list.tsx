import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Button } from '../../design/button.tsx';
import { ClockIcon } from '../../design/icons.ts';
import { withoutPlaceholders } from '../uploads/placeholders.ts';
import { UploadRows } from '../uploads/upload-rows.tsx';
import { useUploads } from '../uploads/use-uploads.ts';
import styles from './waiting-list.module.css';
import { cancelWaiting } from './waiting-messages.ts';
import type { Waiting } from './waiting-store.ts';

/** The messages to a conversation that wait for their files. */
export default function WaitingList({ messages }: { readonly messages: readonly Waiting[] }): ReactNode {
  return (
    <ul className={styles.list} aria-label={t('Messages that wait for their files')}>
      {messages.map((message) => (
        // A draft is of one message.
        <Row key={message.draftId} message={message} />
      ))}
    </ul>
  );
}

function Row({ message }: { readonly message: Waiting }): ReactNode {
  const app = useApp();
  const uploads = useUploads();
  const { value } = message.text;
  const hasFailed = uploads.of(value).some(({ state }) => state === 'failed');
  const text = withoutPlaceholders(value).trim();
  return (
    <li className={styles.message}>
      {text !== '' && <p className={styles.text}>{text}</p>}
      <UploadRows text={value} />
      <div className={styles.note}>
        <ClockIcon aria-hidden="true" />
        <span role="status">
          {hasFailed
            ? t('Not sent yet: a file was not uploaded.')
            : t('Not sent yet. It is sent as soon as its files are uploaded.')}
        </span>
        <Button size="small" onPress={() => cancelWaiting(app, message)}>
          {t('Do not send')}
        </Button>
      </div>
    </li>
  );
}
