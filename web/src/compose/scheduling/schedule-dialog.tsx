import { type ReactNode, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { formatFull } from '../../base/i18n-formats.ts';
import { dateOfField, fieldValueOf, nextFullHour } from '../../base/local-time.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Form } from '../../design/form.tsx';
import { DateTimeFields } from './date-time-fields.tsx';

// It loads with the dialog, after the first view.
export { sendLater } from './send-later.ts';

interface ScheduleDialogProps {
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onChoose: (at: Date) => void;
}

/** Chooses when a message is sent. */
export default function ScheduleDialog({ onOpenChange, onChoose }: ScheduleDialogProps): ReactNode {
  const [value, setValue] = useState(() => fieldValueOf(nextFullHour(new Date())));
  const moment = dateOfField(value);
  const isFuture = moment !== undefined && moment.getTime() > Date.now();
  const choose = (): void => {
    if (moment !== undefined && isFuture) onChoose(moment);
  };
  return (
    <Dialog
      title={t('Send later')}
      size="small"
      isOpen
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button onPress={() => onOpenChange(false)}>{t('Cancel')}</Button>
          <Button kind="primary" isDisabled={!isFuture} onPress={choose}>
            {t('Schedule')}
          </Button>
        </>
      }
    >
      <Form onSubmit={choose}>
        <DateTimeFields value={value} onChange={setValue} />
        <p>{moment !== undefined && isFuture ? formatFull(moment) : t('Choose a time in the future.')}</p>
      </Form>
    </Dialog>
  );
}
