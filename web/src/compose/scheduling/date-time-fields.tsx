import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { FormRow } from '../../design/form.tsx';
import { TextField } from '../../design/text-field.tsx';

interface DateTimeFieldsProps {
  /** `2026-03-05T09:00`. A part that is not complete is empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A day and a time. The browser shows its own calendar and clock. */
export function DateTimeFields({ value, onChange }: DateTimeFieldsProps): ReactNode {
  const [day = '', time = ''] = value.split('T');
  return (
    <FormRow>
      <TextField label={t('Day')} type="date" value={day} onChange={(next) => onChange(`${next}T${time}`)} autoFocus />
      <TextField label={t('Time')} type="time" value={time} onChange={(next) => onChange(`${day}T${next}`)} />
    </FormRow>
  );
}
