import type { OutgoingMessage } from '@heddle/client/model/messages/outbox.ts';
import { type ReactNode, useSyncExternalStore } from 'react';
import { start } from '../base/early.ts';
import { t } from '../base/i18n.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { ErrorIcon } from '../design/icons.ts';
import { Spinner } from '../design/spinner.tsx';
import { VisuallyHidden } from '../design/visually-hidden.tsx';
import { loginAddress } from '../shown/login-link.tsx';
import type { Boot } from './boot.ts';
import { StoppedButton, stoppedText, useIsLong } from './connection-banner.tsx';
import styles from './starting.module.css';

/** A page without a login shows at most so many of the messages that wait. All of them are kept. */
const MAX_SHOWN_MESSAGES = 10;

/** The page until the initial state is there. It stays empty for a short time, so that a fast start does not flicker. */
export function Starting({ boot }: { readonly boot: Boot }): ReactNode {
  const { session, unsent } = boot;
  useSyncExternalStore(session.statusChanges.subscribe, session.statusChanges.read);
  const { status } = session;
  const isLong = useIsLong(true);
  if (status.state === 'stopped') {
    return (
      <main>
        <h1>
          <VisuallyHidden>{start.organizationName}</VisuallyHidden>
        </h1>
        <EmptyState
          icon={ErrorIcon}
          title={stoppedText(status.reason)}
          action={<StoppedButton reason={status.reason} />}
        />
        {unsent.length > 0 && <Unsent messages={unsent} />}
      </main>
    );
  }
  if (!isLong) return null;
  if (status.state === 'connecting' || status.state === 'live')
    return <EmptyState title={t('Loading…')} action={<Spinner label="" />} />;
  return (
    <main>
      <EmptyState
        icon={ErrorIcon}
        title={t('The server cannot be reached')}
        action={<Button onPress={() => session.check()}>{t('Try now')}</Button>}
      >
        {t('Heddle starts as soon as the server can be reached.')}
      </EmptyState>
    </main>
  );
}

/** What the user has just sent, when the login turns out to have ended. */
function Unsent({ messages }: { readonly messages: readonly OutgoingMessage[] }): ReactNode {
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
