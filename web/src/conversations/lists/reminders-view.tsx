import { createReminder, deleteReminder } from '@heddle/client/calls/operations.ts';
import type { ReminderRecord } from '@heddle/client/model/own/reminders.ts';
import { type ReactNode, useState } from 'react';
import { type App, useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime, formatRelative } from '../../base/i18n-formats.ts';
import { lazyPart } from '../../base/lazy-part.tsx';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { useMinute } from '../../base/use-minute.ts';
import { MessageHtml } from '../../content/message-html-view.tsx';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { ClockIcon, DeleteIcon, ReminderIcon, TopicIcon } from '../../design/icons.ts';
import { ColumnHeader } from '../../frame/frame-header.tsx';
import { routeOfNarrow } from '../../shown/names.ts';
import { Entry } from './entry.tsx';
import styles from './lists.module.css';
import { noteOf } from './reminder-note.ts';

const TimeDialog = lazyPart(() => import('./time-dialog.tsx'));

/** The messages of which the user is reminded later. */
export function RemindersView(): ReactNode {
  const app = useApp();
  const { reminders } = app.model;
  useChanges(reminders.changes);
  const [timed, setTimed] = useState<ReminderRecord>();
  const all = reminders.soonestFirst;
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<ReminderIcon aria-hidden="true" className={styles.icon} />}
        title={t('Reminders')}
      />
      {all.length === 0 ? (
        <EmptyState icon={ReminderIcon} title={t('No reminders')}>
          {t('Choose “Remind me” in the menu of a message.')}
        </EmptyState>
      ) : (
        <ul className={styles.list} aria-label={t('Reminders')}>
          {all.map((reminder) => (
            <Reminder key={reminder.id} reminder={reminder} onTime={() => setTimed(reminder)} />
          ))}
        </ul>
      )}
      {timed !== undefined && (
        <TimeDialog
          title={t('When to remind you')}
          time={timed.deliverAt}
          failure={t('The time could not be changed. Try again.')}
          onSave={(time) => move(app, timed, time)}
          onClose={() => setTimed(undefined)}
        />
      )}
    </>
  );
}

function Reminder({ reminder, onTime }: { reminder: ReminderRecord; onTime: () => void }): ReactNode {
  const app = useApp();
  const date = new Date(reminder.deliverAt * 1000);
  const now = new Date(useMinute());
  const openMessage = () => app.navigation.go(routeOfNarrow([{ operator: 'near', operand: reminder.messageId }]));
  return (
    <Entry
      title={<time dateTime={date.toISOString()}>{formatDateTime(date)}</time>}
      time={formatRelative(date, now)}
      problem={reminder.hasFailed ? t('The server could not send this reminder. Choose another time.') : undefined}
      actions={
        <>
          <Button size="small" icon={TopicIcon} onPress={openMessage}>
            {t('Show message')}
          </Button>
          <Button size="small" icon={ClockIcon} onPress={onTime}>
            {t('Change time')}
          </Button>
          <IconButton icon={DeleteIcon} label={t('Delete')} size="small" onPress={() => void remove(app, reminder)} />
        </>
      }
    >
      <MessageHtml html={reminder.html} />
    </Entry>
  );
}

/** The API cannot change a reminder. The new one is there before the old one goes, so that none is lost. */
async function move({ connection }: App, reminder: ReminderRecord, time: number): Promise<void> {
  await createReminder(connection, parametersOf(reminder, time));
  await deleteReminder(connection, { reminder_id: reminder.id });
}

async function remove(app: App, reminder: ReminderRecord): Promise<void> {
  try {
    await deleteReminder(app.connection, { reminder_id: reminder.id });
  } catch {
    toasts.show({ text: t('The reminder could not be deleted. Try again.'), kind: 'error', key: 'reminder' });
    return;
  }
  const undo = { label: t('Undo'), run: () => void restore(app, reminder) };
  const canUndo = reminder.deliverAt > Date.now() / 1000;
  toasts.show({ text: t('The reminder was deleted.'), ...(canUndo && { action: undo }) });
}

async function restore({ connection }: App, reminder: ReminderRecord): Promise<void> {
  try {
    await createReminder(connection, parametersOf(reminder, reminder.deliverAt));
  } catch {
    toasts.show({ text: t('The reminder could not be restored.'), kind: 'error' });
  }
}

function parametersOf({ messageId, content }: ReminderRecord, time: number) {
  const note = noteOf(content);
  return { message_id: messageId, scheduled_delivery_timestamp: time, ...(note !== '' && { note }) };
}
