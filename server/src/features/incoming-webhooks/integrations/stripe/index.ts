import {
  type IgnoredEvents,
  type Integration,
  type Rendered,
  type Signed,
  UnknownEventError,
} from '../../integration.ts';
import { bold, cut, joined, link, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacOf, isEqual, isRecent } from '../../signatures.ts';
import { amountOf } from './amounts.ts';
import { gallery } from './gallery.ts';

/** The kinds of objects whose events cause a message, with their page in the dashboard. */
const OBJECTS: ReadonlyMap<string, string> = new Map([
  ['account', 'account'],
  ['charge', 'payments'],
  ['checkout.session', 'payments'],
  ['coupon', 'coupons'],
  ['customer', 'customers'],
  ['customer.subscription', 'subscriptions'],
  ['invoice', 'invoices'],
  ['invoiceitem', 'invoiceitems'],
  ['payment_intent', 'payments'],
  ['payout', 'payouts'],
  ['refund', 'refunds'],
  ['transfer', 'connect/transfers'],
]);

const IGNORED: IgnoredEvents = {
  'balance.*': 'Stripe reports every new figure of an account.',
  '*.updated without changes': 'Stripe names no field that changed.',
};

/** https://docs.stripe.com/api/events/types */
export const stripe: Integration = {
  name: 'stripe',
  title: 'Stripe',
  gallery,
  events: [...OBJECTS.keys(), 'charge.dispute'].map((kind) => `${kind}.*`),
  ignored: IGNORED,
  isSigned,
  render({ payload }) {
    const type = payload.need('type');
    const item = payload.needObject('data', 'object');
    const [, kind = '', action = ''] = /^([\w.]+)\.(\w+)$/.exec(type) ?? [];
    if (kind === 'charge.dispute') return dispute(payload, item, type, action);
    const page = OBJECTS.get(kind);
    if (kind === 'balance') return { ignored: 'balance.*' };
    if (page === undefined) throw new UnknownEventError(type);
    if (action === 'updated' && payload.fields('data', 'previous_attributes').length === 0)
      return { ignored: '*.updated without changes' };
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
  const id = item.need('id');
  const customer = item.at('customer').isObject ? item.text('customer', 'id') : item.text('customer');
  const name = kind.replaceAll(/[._]/g, ' ');
  const amount = amountOf(item, kind, action);
  const head = md`${bold(name)} ${link(id, dashboard(payload, page, id))} ${action.replaceAll('_', ' ')}${amount !== '' && md`: ${amount}`}.`;
  return {
    event: type,
    topic: cut(kind === 'customer' || customer === '' ? `${name} ${id}` : customer, 200),
    content: joined([head, detailsOf(payload, item)], '\n\n'),
  };
}

function detailsOf(payload: Payload, item: Payload): Markdown {
  const changes = payload.fields('data', 'previous_attributes').slice(0, 20);
  const facts = [
    ['Email', item.text('email') || item.text('receipt_email')],
    ['Description', item.text('description')],
    ['Status', item.text('status')],
    ['Reason', item.text('failure_message') || item.text('last_payment_error', 'message')],
  ].filter(([, value]) => value !== '');
  const lines = facts.map(([name, value]) => md`* ${name}: ${value}`);
  const changed = changes.map(([name, before]) => {
    const after = item.text(name);
    return before === '' && after === ''
      ? md`* Changed ${name}`
      : md`* Changed ${name} from ${before || 'none'} to ${after || 'none'}`;
  });
  return joined([...lines, ...changed], '\n');
}

function dispute(payload: Payload, item: Payload, type: string, action: string): Rendered {
  const id = item.need('id');
  const charge = item.text('charge');
  const reason = item.text('reason').replaceAll('_', ' ');
  const name = link(id, dashboard(payload, 'disputes', id));
  return {
    event: type,
    topic: 'disputes',
    content: md`${bold('dispute')} ${name} of charge ${charge} ${action.replaceAll('_', ' ')}: ${amountOf(item, 'charge')}${reason !== '' && md` (${reason})`}.`,
  };
}

function dashboard(payload: Payload, page: string, id: string): string {
  const mode = payload.at('livemode').raw === false ? 'test/' : '';
  return `https://dashboard.stripe.com/${mode}${page}/${encodeURIComponent(id)}`;
}
