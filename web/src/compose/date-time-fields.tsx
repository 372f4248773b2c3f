import type { ReactNode } from 'react';
import { FormRow } from '../design/form.tsx';
import { TextField } from '../design/text-field.tsx';
import { t } from '../shell/i18n.ts';
import type { DateTime } from './zoned-time.ts';

interface DateTimeFieldsProps {
  readonly fields: DateTime;
  readonly onChange: (fields: DateTime) => void;
}

/** A day and a time, in the zone of the user. The browser shows its own calendar and clock. */
export function DateTimeFields({ fields, onChange }: DateTimeFieldsProps): ReactNode {
  const { date, time } = fields;
  return (
    <FormRow>
      <TextField
        label={t('Day')}
        type="date"
        value={date}
        onChange={(value) => onChange({ date: value, time })}
        autoFocus
      />
      <TextField label={t('Time')} type="time" value={time} onChange={(value) => onChange({ date, time: value })} />
    </FormRow>
  );
}
