import { createReminder, deleteReminder } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useId, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { dateOfField, fieldValueOf } from '../../base/local-time.ts';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { DeleteIcon } from '../../design/icons.ts';
import { RadioGroup } from '../../design/radio-group.tsx';
import { TextField } from '../../design/text-field.tsx';
import { problemText } from '../../shown/problem-text.ts';
import { useRequest } from '../../shown/use-request.ts';
import type { MessageDialogProps } from './dialog-props.ts';
import styles from './dialogs.module.css';
import { type ReminderPreset, reminderPresets } from './reminder-times.ts';

/** The limit of the server. */
const MAX_NOTE_CHARACTERS = 1_000;

type Choice = ReminderPreset['id'] | 'own';

/** Creates a reminder of a message, and lists those that exist. */
export default function ReminderDialog({
  record,
  note: firstNote = '',
  onClose,
}: MessageDialogProps & { readonly note?: string | undefined }): ReactNode {
  const { connection } = useApp();
  const [now] = useState(() => new Date());
  const [presets] = useState(() => reminderPresets(now));
  const [choice, setChoice] = useState<Choice>('hour');
  const [own, setOwn] = useState(() => fieldValueOf(new Date(now.getTime() + 2 * 3_600_000)));
  const [note, setNote] = useState(firstNote);
  const { isPending, problem, setProblem, send } = useRequest();
  const ownId = useId();
  const date = choice === 'own' ? dateOfField(own) : presets.find(({ id }) => id === choice)?.date;
  const save = async () => {
    if (date === undefined || date.getTime() <= Date.now()) {
      setProblem(t('Choose a time in the future.'));
      return;
    }
    const request = () =>
      createReminder(connection, {
        message_id: record.id,
        scheduled_delivery_timestamp: Math.floor(date.getTime() / 1000),
        ...(note.trim() !== '' && { note: note.trim() }),
      });
    if (!(await send(request))) return;
    toasts.show({ text: t('You will be reminded: {time}', { time: formatDateTime(date) }) });
    onClose();
  };
  return (
    <Dialog
      title={t('Remind me')}
      isOpen
      onOpenChange={onClose}
      size="small"
      footer={
        <>
          <Button onPress={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" onPress={() => void save()} isPending={isPending}>
            {t('Set reminder')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <Existing messageId={record.id} />
        <RadioGroup
          label={t('When')}
          value={choice}
          onChange={setChoice}
          options={[
            ...presets.map(({ id, date: when }) => ({
              value: id,
              label: presetName(id),
              description: formatDateTime(when),
            })),
            { value: 'own', label: t('Another time') },
          ]}
        />
        {choice === 'own' && (
          <div className={styles.field}>
            <label htmlFor={ownId}>{t('Date and time')}</label>
            <input
              id={ownId}
              type="datetime-local"
              className={styles.input}
              value={own}
              min={fieldValueOf(now)}
              onChange={({ target }) => setOwn(target.value)}
            />
          </div>
        )}
        <TextField label={t('Note (optional)')} value={note} onChange={setNote} limit={MAX_NOTE_CHARACTERS} />
        {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      </div>
    </Dialog>
  );
}

function presetName(id: ReminderPreset['id']): string {
  const names = {
    hour: t('In one hour'),
    evening: t('This evening'),
    tomorrow: t('Tomorrow morning'),
    monday: t('Next Monday'),
  };
  return names[id];
}

/** The reminders of the message, with a button that removes each. */
function Existing({ messageId }: { readonly messageId: number }): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.reminders.changes);
  const reminders = model.reminders.ofMessage(messageId);
  if (reminders.length === 0) return null;
  const remove = async (reminderId: number) => {
    try {
      await deleteReminder(connection, { reminder_id: reminderId });
    } catch (error) {
      const text = t('The reminder was not removed. {problem}', { problem: problemText(error) });
      toasts.show({ text, kind: 'error', key: 'reminder' });
    }
  };
  return (
    <section aria-label={t('Your reminders of this message')}>
      <ul className={styles.people}>
        {reminders.map(({ id, deliverAt }) => {
          const time = formatDateTime(new Date(deliverAt * 1000));
          return (
            <li key={id} className={styles.existing}>
              <span>{time}</span>
              <IconButton
                icon={DeleteIcon}
                label={t('Remove the reminder of {time}', { time })}
                size="small"
                onPress={() => void remove(id)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
