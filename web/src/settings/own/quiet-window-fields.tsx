import type { QuietWindow } from '@heddle/client/calls/types.ts';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { formatLocale } from '../../base/i18n-formats.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/checkbox.tsx';
import { FormRow } from '../../design/form.tsx';
import { DeleteIcon } from '../../design/icons.ts';
import { TextField } from '../../design/text-field.tsx';
import styles from './quiet-hours.module.css';

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const MINUTES_PER_HOUR = 60;

interface QuietWindowFieldsProps {
  /** Its place in the list, from 1. */
  readonly number: number;
  readonly window: QuietWindow;
  readonly onChange: (window: QuietWindow) => void;
  readonly onRemove: () => void;
}

/** The days and times of a part of the week. */
export function QuietWindowFields({ number, window, onChange, onRemove }: QuietWindowFieldsProps): ReactNode {
  const { days, from, to } = window;
  const setTime = (name: 'from' | 'to') => (value: string) => {
    const minutes = minutesOf(value);
    if (minutes !== undefined) onChange({ ...window, [name]: minutes });
  };
  return (
    <fieldset className={styles.window}>
      <legend>{t('Hours of every week, {number}', { number })}</legend>
      <fieldset className={styles.days} aria-label={t('Days')}>
        {DAYS.map((day) => (
          <Checkbox
            key={day}
            isSelected={days.includes(day)}
            onChange={(isOn) => {
              const others = days.filter((one) => one !== day);
              onChange({ ...window, days: isOn ? [...others, day].sort((a, b) => a - b) : others });
            }}
            aria-label={weekday(day, 'long')}
          >
            {weekday(day, 'short')}
          </Checkbox>
        ))}
      </fieldset>
      <FormRow>
        <TextField label={t('[time] From')} type="time" value={timeOf(from)} onChange={setTime('from')} />
        <TextField
          label={t('[time] To')}
          type="time"
          value={timeOf(to)}
          onChange={setTime('to')}
          {...(to <= from && { description: t('On the next day') })}
        />
      </FormRow>
      {days.length === 0 && <p role="status">{t('Choose at least one day.')}</p>}
      <div>
        <Button size="small" icon={DeleteIcon} onPress={onRemove}>
          {t('Remove')}
        </Button>
      </div>
    </fieldset>
  );
}

/** @param day 1 is Monday */
function weekday(day: number, form: 'long' | 'short'): string {
  // 1 January 2024 was a Monday.
  const date = Date.UTC(2024, 0, day);
  return new Intl.DateTimeFormat(formatLocale(), { weekday: form, timeZone: 'UTC' }).format(date);
}

function timeOf(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / MINUTES_PER_HOUR))}:${two(minutes % MINUTES_PER_HOUR)}`;
}

/** Undefined while the user has not written all of the time. */
function minutesOf(time: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  return hours === undefined ? undefined : Number(hours) * MINUTES_PER_HOUR + Number(minutes);
}
