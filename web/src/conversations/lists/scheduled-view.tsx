import { createScheduledMessage, updateScheduledMessage } from '@heddle/client/calls/operations.ts';
import { directPlace, type Place, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { ScheduledMessageRecord } from '@heddle/client/model/own/scheduled-messages.ts';
import { type ReactNode, useState } from 'react';
import { type App, useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime, formatRelative } from '../../base/i18n-formats.ts';
import { lazyPart } from '../../base/lazy-part.tsx';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { useMinute } from '../../base/use-minute.ts';
import { composeStore } from '../../compose/compose-store.ts';
import { draftsOf } from '../../compose/drafts/drafts.ts';
import { unchangedDraft } from '../../compose/drafts/unchanged-draft.ts';
import { unschedule } from '../../compose/scheduling/unschedule.ts';
import { MessageHtml } from '../../content/message-html-view.tsx';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { ClockIcon, DeleteIcon, EditIcon, ScheduleIcon, SendIcon } from '../../design/icons.ts';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { routeOfPlace } from '../../shown/names.ts';
import { goToSent } from '../../shown/sent.ts';
import { Entry, PlaceTitle } from './entry.tsx';
import styles from './lists.module.css';

const TimeDialog = lazyPart(() => import('./time-dialog.tsx'));

/** The messages that the server sends later. */
export function ScheduledView(): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.scheduledMessages.changes);
  const [timed, setTimed] = useState<ScheduledMessageRecord>();
  const messages = model.scheduledMessages.soonestFirst;
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<ScheduleIcon aria-hidden="true" className={styles.icon} />}
        title={t('Scheduled messages')}
      />
      {messages.length === 0 ? (
        <EmptyState icon={ScheduleIcon} title={t('Nothing is scheduled.')}>
          {t('Write a message, and choose “Send later” beside the send button.')}
        </EmptyState>
      ) : (
        <ul className={styles.list} aria-label={t('Scheduled messages')}>
          {messages.map((message) => (
            <Scheduled key={message.id} message={message} onTime={() => setTimed(message)} />
          ))}
        </ul>
      )}
      {timed !== undefined && (
        <TimeDialog
          title={t('When to send')}
          time={timed.deliverAt}
          failure={t('The time could not be changed. Try again.')}
          onSave={(time) => {
            const change = { scheduled_message_id: timed.id, scheduled_delivery_timestamp: time };
            return updateScheduledMessage(connection, change);
          }}
          onClose={() => setTimed(undefined)}
        />
      )}
    </>
  );
}

function Scheduled({ message, onTime }: { message: ScheduledMessageRecord; onTime: () => void }): ReactNode {
  const app = useApp();
  const place = placeOf(message, app.model.ownId);
  const date = new Date(message.deliverAt * 1000);
  const now = new Date(useMinute());
  return (
    <Entry
      title={<PlaceTitle place={place} />}
      time={
        <time dateTime={date.toISOString()}>
          {t('{time} ({distance})', { time: formatDateTime(date), distance: formatRelative(date, now) })}
        </time>
      }
      problem={
        message.hasFailed ? t('The server could not send this message. Choose another time, or edit it.') : undefined
      }
      actions={
        <>
          <Button size="small" icon={EditIcon} onPress={() => void editScheduled(app, message, place)}>
            {t('Edit')}
          </Button>
          <Button size="small" icon={ClockIcon} onPress={onTime}>
            {t('Change time')}
          </Button>
          <Button size="small" icon={SendIcon} onPress={() => void sendNow(app, message, place)}>
            {t('Send now')}
          </Button>
          <IconButton
            icon={DeleteIcon}
            label={t('Delete')}
            size="small"
            onPress={() => void remove(app, message, place)}
          />
        </>
      }
    >
      <MessageHtml html={message.html} />
    </Entry>
  );
}

function placeOf({ target }: ScheduledMessageRecord, ownId: number): Place {
  return target.kind === 'channel' ? topicPlace(target.channelId, target.topic) : directPlace(target.userIds, ownId);
}

/** Takes the message back into the compose box. It is not scheduled any more, so that it is not sent while the user writes. */
async function editScheduled(app: App, message: ScheduledMessageRecord, place: Place): Promise<void> {
  if (!(await unschedule(app, message))) return;
  continueWriting(app, message, place);
  offerUndo(message, t('The message is not scheduled any more.'), () => void scheduleUnchanged(app, message, place));
}

async function sendNow(app: App, message: ScheduledMessageRecord, place: Place): Promise<void> {
  if (!(await unschedule(app, message))) return;
  app.model.cache.outbox.send(place, message.content, app.model.maxMessageId);
  toasts.show({
    text: t('The message was sent.'),
    action: { label: t('Show'), run: () => goToSent(app, place) },
  });
}

async function remove(app: App, message: ScheduledMessageRecord, place: Place): Promise<void> {
  if (!(await unschedule(app, message))) return;
  const undo = async () => {
    // The text is nowhere else.
    if (!(await restore(app, message))) continueWriting(app, message, place);
  };
  offerUndo(message, t('The scheduled message was deleted.'), () => void undo());
}

function continueWriting({ model, navigation }: App, { content }: ScheduledMessageRecord, place: Place): void {
  navigation.go(routeOfPlace(model, place));
  composeStore.open({ place, content });
}

function offerUndo({ deliverAt }: ScheduledMessageRecord, text: string, undo: () => void): void {
  if (deliverAt <= Date.now() / 1000) return void toasts.show({ text });
  toasts.show({ text, action: { label: t('Undo'), run: undo } });
}

/** Schedules a message again that is in the compose box, and takes it out of there. So there are never two copies of it. */
async function scheduleUnchanged(app: App, message: ScheduledMessageRecord, place: Place): Promise<void> {
  const unchanged = () => unchangedDraft(app, place, message.content);
  if (unchanged() === undefined) {
    toasts.show({ text: t('You have changed or sent the message since. It is not scheduled again.') });
    return;
  }
  if (!(await restore(app, message))) return;
  // The user can have typed meanwhile. That text stays.
  const draft = unchanged();
  if (draft !== undefined) draftsOf(app).discardEntry(draft);
}

async function restore(
  { connection, model }: App,
  { target, content, deliverAt }: ScheduledMessageRecord,
): Promise<boolean> {
  const recipient =
    target.kind === 'channel'
      ? ({ type: 'channel', to: target.channelId, topic: target.topic } as const)
      : ({ type: 'direct', to: target.userIds.length === 0 ? [model.ownId] : target.userIds } as const);
  try {
    await createScheduledMessage(connection, { ...recipient, content, scheduled_delivery_timestamp: deliverAt });
    return true;
  } catch {
    toasts.show({ text: t('The message could not be scheduled again.'), kind: 'error' });
    return false;
  }
}
