import type { OutgoingMessage } from '@heddle/client/model/messages/outbox.ts';
import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { loginAddress } from '../shown/login-link.tsx';
import styles from './unsent-messages.module.css';

/** A page without a login shows at most so many of the messages that wait. All of them are kept. */
const MAX_SHOWN_MESSAGES = 10;

/** What the user has just sent, when the login turns out to have ended. */
export function UnsentMessages({ messages }: { readonly messages: readonly OutgoingMessage[] }): ReactNode {
  return (
    <ul className={styles.unsent} aria-label={t('Not sent yet')}>
      {messages.slice(-MAX_SHOWN_MESSAGES).map(({ localId, content }) => (
        <li key={localId}>
          <p className={styles.text}>{content}</p>
          <a href={loginAddress()}>{t('Log in to send it')}</a>
        </li>
      ))}
    </ul>
  );
}
