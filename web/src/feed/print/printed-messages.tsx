import type { Message } from '@heddle/client/calls/types.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import { Fragment, type ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { dayOf, formatDayOfYear, formatTime } from '../../base/i18n-formats.ts';
import { MessageHtml } from '../../content/message-html-view.tsx';
import { placeName } from '../../shown/names.ts';
import styles from './print.module.css';

interface Props {
  readonly place: Place;
  readonly messages: readonly Message[];
}

/** A conversation on paper: all texts at once, without buttons. */
export function PrintedMessages({ place, messages }: Props): ReactNode {
  const { model } = useApp();
  return (
    <>
      <h1 className={styles.title}>{placeName(model, place)}</h1>
      <p className={styles.organization}>{model.organization.settings.name}</p>
      {messages.map((message, index) => {
        const date = new Date(message.timestamp * 1000);
        const before = messages[index - 1];
        const isNewDay = before === undefined || dayOf(new Date(before.timestamp * 1000)) !== dayOf(date);
        const isMuted = model.mutedUsers.has(message.sender_id);
        return (
          <Fragment key={message.id}>
            {isNewDay && <h2 className={styles.day}>{formatDayOfYear(date)}</h2>}
            <div className={styles.message}>
              <p className={styles.head}>
                <strong>
                  {isMuted
                    ? t('Message of a muted person')
                    : (model.users.get(message.sender_id)?.name ?? message.sender_full_name)}
                </strong>{' '}
                <time dateTime={date.toISOString()}>{formatTime(date)}</time>
              </p>
              {!isMuted && <MessageHtml html={message.content} isMe={message.is_me_message} />}
            </div>
          </Fragment>
        );
      })}
    </>
  );
}
