import { linkIf } from '../../git.ts';
import {
  type Integration,
  type Outcome,
  type Rendered,
  type Signed,
  UnknownEventError,
  wordsFor,
} from '../../integration.ts';
import { bold, cut, joined, link, type Markdown, type MarkdownValue, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacOf, isEqual, isRecent } from '../../signatures.ts';
import { amountOf, formattedAmount } from './amounts.ts';
import { changeLines, couponOf, fact, inWords, planLines, timeIn } from './details.ts';
import { gallery } from './gallery.ts';
import { IGNORED, ignoredName, UNCHANGED } from './ignored.ts';

/** The kinds of objects whose events cause a message, with their page in the dashboard. */
const OBJECTS: ReadonlyMap<string, string> = new Map([
  ['account', 'account'],
  ['charge', 'payments'],
  ['charge.refund', 'refunds'],
  ['checkout.session', 'payments'],
  ['coupon', 'coupons'],
  ['credit_note', 'credit_notes'],
  ['customer', 'customers'],
  ['customer.discount', ''],
  ['customer.subscription', 'subscriptions'],
  ['invoice', 'invoices'],
  ['invoiceitem', 'invoiceitems'],
  ['payment_intent', 'payments'],
  ['payout', 'payouts'],
  ['quote', 'quotes'],
  ['radar.early_fraud_warning', ''],
  ['refund', 'refunds'],
  ['review', ''],
  ['subscription_schedule', 'subscription_schedules'],
  ['transfer', 'connect/transfers'],
]);

/** https://docs.stripe.com/api/events/types */
export const stripe: Integration = {
  name: 'stripe',
  title: 'Stripe',
  gallery,
  events: [...OBJECTS.keys(), 'charge.dispute'].map((kind) => `${kind}.*`),
  ignored: IGNORED,
  isSigned,
  render({ payload }): Outcome {
    const type = payload.need('type');
    const [, kind = '', action = ''] = /^([\w.]+)\.(\w+)$/.exec(type) ?? [];
    if (kind === 'charge.dispute') return dispute(payload, payload.needObject('data', 'object'), type, action);
    const page = OBJECTS.get(kind);
    if (page === undefined) {
      const ignored = ignoredName(type);
      if (ignored === undefined) throw new UnknownEventError(type);
      return { ignored };
    }
    const item = payload.needObject('data', 'object');
    if (action === 'updated' && payload.fields('data', 'previous_attributes').length === 0)
      return { ignored: UNCHANGED };
    return rendered(payload, item, { type, kind, action, page });
  },
};

/** `t=<time>,v1=<signature>`, with several signatures while a secret is changed. */
function isSigned({ header, body, secret, now }: Signed): boolean {
  const parts = header('stripe-signature')
    .split(',')
    .slice(0, 10)
    .map((part) => part.trim().split('=', 2));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!isRecent(time, now)) return false;
  const expected = hmacOf(secret, `${time}.`, body);
  return parts.some(([name, value = '']) => name === 'v1' && isEqual(value, expected));
}

interface Change {
  readonly type: string;
  readonly kind: string;
  readonly action: string;
  readonly page: string;
}

function rendered(payload: Payload, item: Payload, { type, kind, action, page }: Change): Rendered {
  // A discount has no page, and old ones have no id. An upcoming invoice does not exist yet.
  const id = page === '' || type === 'invoice.upcoming' ? item.text('id') : item.need('id');
  const customer = item.at('customer').isObject ? item.text('customer', 'id') : item.text('customer');
  const name = inWords(kind.replaceAll('.', ' '));
  const amount = amountOf(item, kind, action);
  const of = partOf(item, kind, action, amount);
  const what = joined([bold(name), linkIf(id, page === '' || id === '' ? '' : dashboard(payload, page, id))], ' ');
  const head = md`${what} ${inWords(action)}${amount !== '' && md`: ${amount}`}${of}.`;
  return {
    event: type,
    topic: cut(kind === 'customer' || customer === '' ? `${name} ${id}`.trim() : customer, 200),
    content: joined([head, detailsOf(payload, item, kind, action)], '\n\n'),
  };
}

/** The whole amount, if only a part is refunded. */
function partOf(item: Payload, kind: string, action: string, amount: string): Markdown | undefined {
  const whole =
    kind === 'charge' && action === 'refunded' ? formattedAmount(item.number('amount'), item.text('currency')) : '';
  return whole === '' || whole === amount ? undefined : md` of ${whole}`;
}

function detailsOf(payload: Payload, item: Payload, kind: string, action: string): Markdown {
  const refund = item.at('refunds', 'data', 0);
  const person =
    item.text('customer_name') ||
    item.text('billing_details', 'name') ||
    (kind === 'customer' ? item.text('name') : '');
  const coupon =
    kind === 'coupon' ? item : item.at('coupon').isObject ? item.at('coupon') : item.at('discount', 'coupon');
  const charge = kind === 'refund' || kind === 'charge.refund' ? item.text('charge') : '';
  const lines: readonly (Markdown | undefined)[] = [
    fact('Customer', person),
    fact('Email', item.firstText('email', 'receipt_email', 'customer_email')),
    fact('Number', item.text('number')),
    fact('Description', item.text('description')),
    ...(kind === 'customer.subscription' ? planLines(item) : []),
    fact('Discount', couponOf(coupon)),
    fact('Discount', discountOf(item)),
    fact('Status', inWords(item.text('status'))),
    fact('Payment', charge === '' ? undefined : link(charge, dashboard(payload, 'payments', charge))),
    fact('Reason', reasonOf(item)),
    fact('Reason of the refund', inWords(refund.text('reason'))),
    fact('Trial ends', kind === 'customer.subscription' && timeIn(item, 'trial_end')),
    fact('Period ends', periodEnd(item, kind)),
    fact('Ends', item.isTrue('cancel_at_period_end') ? 'at the end of the period' : timeIn(item, 'cancel_at')),
    fact('Ended', timeIn(item, 'ended_at')),
    fact('Due', timeIn(item, 'due_date')),
    fact('Next attempt', /^(?:payment_failed|upcoming)$/.test(action) && timeIn(item, 'next_payment_attempt')),
    fact('Arrives', timeIn(item, 'arrival_date')),
    fact('Valid until', (kind === 'customer.discount' && timeIn(item, 'end')) || timeIn(item, 'redeem_by')),
    fact('Page', pageOf(item)),
  ];
  return joined([...lines, ...changeLines(payload, item)], '\n');
}

/** Newer versions of the API have the period in each item of a subscription. */
function periodEnd(item: Payload, kind: string): MarkdownValue {
  if (kind !== 'customer.subscription') return undefined;
  return timeIn(item, 'current_period_end') ?? timeIn(item, 'items', 'data', 0, 'current_period_end');
}

/** The discounts of an invoice. */
function discountOf(item: Payload): string {
  const amounts = item.list('total_discount_amounts').map((one) => one.number('amount') ?? 0);
  const sum = amounts.reduce((all, one) => all + one, 0);
  return sum === 0 ? '' : formattedAmount(sum, item.text('currency'));
}

/** Why a payment failed, or why it was refunded. */
function reasonOf(item: Payload): string {
  const cause = item.text('failure_message') || item.text('last_payment_error', 'message');
  return cause || inWords(item.firstText('failure_reason', 'reason', 'cancellation_reason'));
}

function pageOf(item: Payload): Markdown | undefined {
  const url = item.text('hosted_invoice_url');
  return url === '' ? undefined : link('invoice', url);
}

/** What happened to a dispute. */
const DISPUTE_VERBS: Readonly<Record<string, string>> = {
  closed: 'was closed',
  created: 'was created',
  funds_reinstated: 'has its funds back',
  funds_withdrawn: 'has taken the funds',
  updated: 'was updated',
};

/** How a dispute ended, by its status. */
const OUTCOMES: Readonly<Record<string, string>> = {
  lost: '❌ lost',
  prevented: '✅ prevented',
  warning_closed: '✅ closed without a dispute',
  won: '✅ won',
};

function dispute(payload: Payload, item: Payload, type: string, action: string): Rendered {
  const id = item.need('id');
  const charge = item.at('charge').isObject ? item.text('charge', 'id') : item.text('charge');
  const reason = inWords(item.text('reason'));
  const status = item.text('status');
  const verb = wordsFor(action, DISPUTE_VERBS, type);
  const outcome = action === 'closed' && Object.hasOwn(OUTCOMES, status) ? OUTCOMES[status] : undefined;
  const name = link(id, dashboard(payload, 'disputes', id));
  const of = charge === '' ? undefined : md` of charge ${link(charge, dashboard(payload, 'payments', charge))}`;
  const head = md`${bold('dispute')} ${name}${of} ${verb}: ${amountOf(item, 'charge')}${reason !== '' && md` (${reason})`}.`;
  const isOpen = /^(?:warning_)?needs_response$/.test(status);
  const lines = [
    fact('Outcome', outcome),
    fact('Status', outcome === undefined && inWords(status)),
    fact('Evidence is due', isOpen && timeIn(item, 'evidence_details', 'due_by')),
  ];
  return { event: type, topic: 'disputes', content: joined([head, joined(lines, '\n')], '\n\n') };
}

function dashboard(payload: Payload, page: string, id: string): string {
  const mode = payload.at('livemode').raw === false ? 'test/' : '';
  return `https://dashboard.stripe.com/${mode}${page}/${encodeURIComponent(id)}`;
}
