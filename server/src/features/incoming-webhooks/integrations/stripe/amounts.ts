import type { Payload } from '../../payload.ts';

/** The field with the amount, by kind of object. */
const FIELDS: Readonly<Record<string, string>> = { 'checkout.session': 'amount_total', invoice: 'amount_due' };

/** The amount with its currency, like `12.50 EUR`; '' if the object has none. Stripe counts in the smallest unit of the currency. */
export function amountOf(item: Payload, kind: string): string {
  const amount = item.number((Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined) ?? 'amount');
  const currency = item.text('currency').toUpperCase();
  if (amount === undefined || !/^[A-Z]{3}$/.test(currency)) return '';
  const digits = digitsOf(currency);
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}

/** Currencies such as the yen have no smaller unit. */
function digitsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}
