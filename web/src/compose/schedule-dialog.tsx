import { type ReactNode, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Form } from '../design/form.tsx';
import { useModel } from '../shell/app.tsx';
import { t } from '../shell/i18n.ts';
import { formatFull } from '../shell/i18n-formats.ts';
import { DateTimeFields } from './date-time-fields.tsx';
import { fieldsOfDate, inZone, nextFullHour } from './zoned-time.ts';

interface ScheduleDialogProps {
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onChoose: (at: Date) => void;
}

/** Chooses when a message is sent. */
export default function ScheduleDialog({ onOpenChange, onChoose }: ScheduleDialogProps): ReactNode {
  const zone = useModel().account.settings.timezone;
  const [fields, setFields] = useState(() => fieldsOfDate(nextFullHour(new Date()), zone));
  const moment = inZone(fields, zone);
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
        <DateTimeFields fields={fields} onChange={setFields} />
        <p>{moment !== undefined && isFuture ? formatFull(moment) : t('Choose a time in the future.')}</p>
      </Form>
    </Dialog>
  );
}
