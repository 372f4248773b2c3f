import type { Payload } from '../../payload.ts';

/** The field with the amount, by type of event or else by kind of object. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['charge.refunded', 'amount_refunded'],
  ['checkout.session', 'amount_total'],
  ['invoice', 'amount_due'],
  ['invoice.paid', 'amount_paid'],
  ['invoice.payment_succeeded', 'amount_paid'],
]);

/**
 * The decimals of amounts in Stripe's API (https://docs.stripe.com/currencies). All other currencies have two, also those that have no
 * smaller unit in daily life.
 */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const WITH_THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));

/** The amount of the object with its currency, like `12.50 EUR`; '' if the object has none. */
export function amountOf(item: Payload, kind: string, action = ''): string {
  return formattedAmount(
    item.number(FIELDS.get(`${kind}.${action}`) ?? FIELDS.get(kind) ?? 'amount'),
    item.text('currency'),
  );
}

/** An amount with its currency; '' if one is missing. Stripe counts in the smallest unit of the currency. */
export function formattedAmount(amount: number | undefined, code: string): string {
  const currency = code.toUpperCase();
  if (amount === undefined || !/^[A-Z]{3}$/.test(currency)) return '';
  const digits = WITHOUT_DECIMALS.has(currency) ? 0 : WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}
