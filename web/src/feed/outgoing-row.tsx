import type { Outbox, OutgoingMessage } from '@heddle/client/model/messages/outbox.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatTime } from '../base/i18n-formats.ts';
import { useChanges } from '../base/use-changes.ts';
import { composeStore } from '../compose/compose-store.ts';
import { Avatar } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { classes } from '../design/classes.ts';
import { ClockIcon } from '../design/icons.ts';
import { LoginLink } from '../shown/login-link.tsx';
import { pictureOf } from '../shown/picture.ts';
import { serverText, serverTextChanges } from '../shown/problem-text.ts';
import messageStyles from './message-row.module.css';
import styles from './outgoing-row.module.css';

interface OutgoingRowProps {
  readonly message: OutgoingMessage;
  readonly showsSender: boolean;
  readonly outbox: Outbox;
}

/** A message that the user has sent and that has not arrived yet. It shows its Markdown. */
export function OutgoingRow({ message, showsSender, outbox }: OutgoingRowProps): ReactNode {
  const { account, users } = useModel();
  useChanges(serverTextChanges);
  const { state, localId, content, createdAt } = message;
  const self = account.userId === undefined ? undefined : users.get(account.userId);
  const time = formatTime(new Date(createdAt));
  return (
    <article
      className={classes(messageStyles.message, showsSender && messageStyles.first, styles.outgoing, styles[state])}
      aria-label={t('{name}, {time}', { name: account.name, time })}
    >
      <div className={messageStyles.gutter}>
        {showsSender && <Avatar name={account.name} src={pictureOf(self)} id={account.userId ?? 0} size="l" />}
      </div>
      <div className={messageStyles.body}>
        {showsSender && (
          <div className={messageStyles.head}>
            <span className={styles.name}>{account.name}</span>
            <span className={messageStyles.time}>{time}</span>
          </div>
        )}
        <div className={styles.text}>{content}</div>
        {state === 'waiting' && (
          <p className={styles.note}>
            <ClockIcon aria-hidden="true" />
            {message.needsLogin ? (
              <LoginLink>{t('Log in to send it')}</LoginLink>
            ) : (
              t('Not sent yet. It is sent as soon as the server responds.')
            )}
          </p>
        )}
        {state === 'failed' && (
          <div className={styles.failure} role="alert">
            <p>{t('Not sent: {problem}', { problem: problemOf(message) })}</p>
            <Button size="small" onPress={() => outbox.retry(localId)}>
              {t('Try again')}
            </Button>
            <Button size="small" onPress={() => editAgain(outbox, localId)}>
              {t('Edit')}
            </Button>
            <Button size="small" kind="quiet" onPress={() => outbox.discard(localId)}>
              {t('Discard')}
            </Button>
          </div>
        )}
      </div>
    </article>
  );
}

function problemOf({ problem = '', problemCode, proxyStatus }: OutgoingMessage): string {
  if (proxyStatus === undefined) return serverText(problemCode, problem);
  if (proxyStatus === 413) return t('The message is too large for the server.');
  return t('Something between you and the server refused it (status {status}).', { status: proxyStatus });
}

/** Puts the text of a message that was not sent back into the compose box. */
function editAgain(outbox: Outbox, localId: string): void {
  const message = outbox.discard(localId);
  if (message !== undefined) composeStore.open({ place: message.place, content: message.content });
}
