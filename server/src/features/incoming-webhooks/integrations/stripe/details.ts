/** What the message about an object of Stripe says below its first line. */
import { type Markdown, type MarkdownValue, md, time } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { formattedAmount } from './amounts.ts';

/** Fields with seconds since the epoch. */
const IS_TIME = /(?:_at|_end|_start|_date|_by|_anchor|_until|_before|_after|^created|^start|^end|^expires)$/;
const IS_AMOUNT = /(?:^|_)(?:amount|total|subtotal|balance|tax)(?:_\w+)?$/;
/** Earlier times than 1980 are no times of Stripe. */
const MIN_TIME_SECONDS = 315_532_800;
const MAX_CHANGES = 20;
const MAX_ITEMS = 5;

export function inWords(value: string): string {
  return value.replaceAll('_', ' ');
}

/** A line of the list; undefined without a value. */
export function fact(name: string, value: MarkdownValue): Markdown | undefined {
  if (value === undefined || value === false || value.toString() === '') return undefined;
  return md`* ${name}: ${value}`;
}

/** The time in the field; undefined without one. */
export function timeIn(item: Payload, ...path: readonly (string | number)[]): Markdown | undefined {
  const seconds = item.number(...path);
  return seconds === undefined || seconds < MIN_TIME_SECONDS ? undefined : time(seconds);
}

/** What the customer pays for: `3 × Loom, 12.00 EUR per month`. */
export function planLines(item: Payload): readonly (Markdown | undefined)[] {
  const lines = item.list('items', 'data').slice(0, MAX_ITEMS);
  // Old versions of the API have one plan.
  const all = lines.length === 0 && item.at('plan').isObject ? [item] : lines;
  return all.map((line) => fact('Plan', planOf(line)));
}

function planOf(line: Payload): Markdown | undefined {
  const price = line.at('price').isObject ? line.at('price') : line.at('plan');
  const amount = formattedAmount(price.number('unit_amount') ?? price.number('amount'), price.text('currency'));
  const interval = price.text('recurring', 'interval') || price.text('interval');
  const count = price.number('recurring', 'interval_count') ?? price.number('interval_count') ?? 1;
  const per = interval === '' ? '' : count === 1 ? ` per ${interval}` : ` every ${count} ${interval}s`;
  const cost = amount === '' ? '' : `${amount}${per}`;
  const name = price.text('nickname') || price.text('product', 'name') || line.text('description');
  const described = [name, cost].filter((part) => part !== '').join(', ') || price.text('id');
  const quantity = line.number('quantity');
  return described === '' ? undefined : md`${quantity !== undefined && md`${quantity} × `}${described}`;
}

/** What a coupon or a discount takes off. */
export function couponOf(coupon: Payload): Markdown | undefined {
  const percent = coupon.number('percent_off');
  const off =
    percent === undefined ? formattedAmount(coupon.number('amount_off'), coupon.text('currency')) : `${percent}%`;
  const months = coupon.number('duration_in_months');
  const duration =
    months === undefined ? coupon.text('duration') : `for ${months} ${months === 1 ? 'month' : 'months'}`;
  const name = coupon.text('name') || coupon.text('id');
  const parts = [name, off === '' ? '' : `${off} off`, duration].filter((part) => part !== '');
  return parts.length === 0 ? undefined : md`${parts.join(', ')}`;
}

/** The fields that an update changed, with their values before and after. */
export function changeLines(payload: Payload, item: Payload): readonly Markdown[] {
  const changes = payload.fields('data', 'previous_attributes').slice(0, MAX_CHANGES);
  return changes.map(([name]) => {
    const before = shownValue(payload.at('data', 'previous_attributes'), item, name);
    const after = shownValue(item, item, name);
    if (before === undefined && after === undefined) return md`* Changed ${inWords(name)}`;
    return md`* Changed ${inWords(name)} from ${before ?? 'none'} to ${after ?? 'none'}`;
  });
}

/** A field as people write it. */
function shownValue(from: Payload, item: Payload, name: string): MarkdownValue {
  const { raw } = from.at(name);
  if (typeof raw === 'boolean') return raw ? 'yes' : 'no';
  if (typeof raw === 'number') {
    if (IS_TIME.test(name) && raw >= MIN_TIME_SECONDS) return time(raw);
    if (IS_AMOUNT.test(name)) return formattedAmount(raw, item.text('currency')) || raw;
    return raw;
  }
  const text = from.text(name);
  if (text === '') return undefined;
  // Values of lists have underscores; descriptions have spaces.
  return /^[a-z]+(?:_[a-z]+)+$/.test(text) ? inWords(text) : text;
}
