import { type ReactNode, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { formatFull } from '../../base/i18n-formats.ts';
import { dateOfField, fieldValueOf, nextFullHour } from '../../base/local-time.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Form } from '../../design/form.tsx';
import { DateTimeFields } from '../scheduling/date-time-fields.tsx';

interface TimeDialogProps {
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onInsert: (text: string) => void;
}

/** Chooses a time, which each reader sees in their own zone. */
export default function TimeDialog({ onOpenChange, onInsert }: TimeDialogProps): ReactNode {
  const [value, setValue] = useState(() => fieldValueOf(nextFullHour(new Date())));
  const moment = dateOfField(value);
  const insert = (): void => {
    if (moment !== undefined) onInsert(`<time:${moment.toISOString().replace('.000', '')}> `);
  };
  return (
    <Dialog
      title={t('Insert a time')}
      size="small"
      isOpen
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button onPress={() => onOpenChange(false)}>{t('Cancel')}</Button>
          <Button kind="primary" isDisabled={moment === undefined} onPress={insert}>
            {t('Insert')}
          </Button>
        </>
      }
    >
      <Form onSubmit={insert}>
        <DateTimeFields value={value} onChange={setValue} />
        <p>{moment === undefined ? t('This is no valid time.') : formatFull(moment)}</p>
      </Form>
    </Dialog>
  );
}
