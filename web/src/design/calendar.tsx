import { getLocalTimeZone, today } from '@internationalized/date';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import {
  Calendar as AriaCalendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarMonthPicker,
  CalendarYearPicker,
} from 'react-aria-components/Calendar';
import { t } from '../base/i18n.ts';
import styles from './calendar.module.css';
import { ChevronLeftIcon, ChevronRightIcon } from './icons.ts';
import { Select } from './select.tsx';
import { Spinner } from './spinner.tsx';

export interface CalendarProps {
  /** The name for screen readers. */
  label: string;
  /** Called with the beginning of the day in the zone of the browser. */
  onChange: (day: Date) => void;
  /** The app works on the chosen day. Until it is done, no other one can be chosen, and the focus stays. */
  isBusy?: boolean;
  /** Days after today cannot be chosen. */
  isPast?: boolean;
  autoFocus?: boolean;
}

/** How many years the list of years has. */
const MAX_LISTED_YEARS = 40;

/** A month of days, in the calendar and the language of the user. The arrow keys move by days, Page up and Page down by months. */
export function Calendar({
  label,
  onChange,
  isBusy = false,
  isPast = false,
  autoFocus = false,
}: CalendarProps): ReactNode {
  return (
    <div className={styles.frame} aria-busy={isBusy}>
      <AriaCalendar
        aria-label={label}
        onChange={(day) => onChange(day.toDate(getLocalTimeZone()))}
        isReadOnly={isBusy}
        autoFocus={autoFocus}
        className={styles.calendar ?? ''}
        {...(isPast && { maxValue: today(getLocalTimeZone()) })}
      >
        <div className={styles.head}>
          <AriaButton slot="previous" className={styles.turn ?? ''}>
            <ChevronLeftIcon aria-hidden="true" />
          </AriaButton>
          <CalendarMonthPicker format="long">
            {(picker) => <Picker {...picker} label={t('Month')} />}
          </CalendarMonthPicker>
          <CalendarYearPicker visibleYears={MAX_LISTED_YEARS}>
            {(picker) => <Picker {...picker} label={t('Year')} />}
          </CalendarYearPicker>
          <AriaButton slot="next" className={styles.turn ?? ''}>
            <ChevronRightIcon aria-hidden="true" />
          </AriaButton>
        </div>
        <CalendarGrid className={styles.grid ?? ''} weekdayStyle="short">
          <CalendarGridHeader>
            {(day) => <CalendarHeaderCell className={styles.weekday ?? ''}>{day}</CalendarHeaderCell>}
          </CalendarGridHeader>
          <CalendarGridBody>{(date) => <CalendarCell date={date} className={styles.day ?? ''} />}</CalendarGridBody>
        </CalendarGrid>
      </AriaCalendar>
      {isBusy && (
        <span className={styles.busy}>
          <Spinner />
        </span>
      )}
    </div>
  );
}

interface PickerProps {
  readonly label: string;
  readonly value: string | number;
  readonly onChange: (key: string | number | null) => void;
  readonly items: readonly { readonly id: number; readonly formatted: string }[];
}

function Picker({ label, value, onChange, items }: PickerProps): ReactNode {
  return (
    <Select
      label={label}
      isLabelHidden
      options={items.map(({ id, formatted }) => ({ key: String(id), label: formatted }))}
      value={String(value)}
      onChange={(key) => onChange(Number(key))}
    />
  );
}
