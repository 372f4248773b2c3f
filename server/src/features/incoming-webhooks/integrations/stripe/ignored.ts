import type { IgnoredEvents } from '../../integration.ts';

export const UNCHANGED = '*.updated without changes';

const CATALOG = 'Changes of the catalog are worth no message.';
const OTHER_EVENT = 'The events of payments report the result.';
const FOR_PROGRAMS = 'Only programs need this.';

/** By kind of object. */
const KINDS: Readonly<Record<string, string>> = {
  application_fee: FOR_PROGRAMS,
  balance: 'Stripe reports every new figure of an account.',
  balance_settings: FOR_PROGRAMS,
  billing: FOR_PROGRAMS,
  billing_portal: FOR_PROGRAMS,
  capability: FOR_PROGRAMS,
  cash_balance: 'Stripe reports every new figure of an account.',
  climate: FOR_PROGRAMS,
  'customer.source': OTHER_EVENT,
  'customer.tax_id': FOR_PROGRAMS,
  customer_cash_balance_transaction: OTHER_EVENT,
  entitlements: FOR_PROGRAMS,
  file: FOR_PROGRAMS,
  financial_connections: FOR_PROGRAMS,
  identity: FOR_PROGRAMS,
  issuing_authorization: FOR_PROGRAMS,
  issuing_card: FOR_PROGRAMS,
  issuing_cardholder: FOR_PROGRAMS,
  issuing_token: FOR_PROGRAMS,
  issuing_transaction: FOR_PROGRAMS,
  linked_account: FOR_PROGRAMS,
  mandate: FOR_PROGRAMS,
  payment_link: CATALOG,
  payment_method: OTHER_EVENT,
  person: FOR_PROGRAMS,
  plan: CATALOG,
  price: CATALOG,
  product: CATALOG,
  promotion_code: CATALOG,
  reporting: FOR_PROGRAMS,
  setup_intent: OTHER_EVENT,
  sigma: FOR_PROGRAMS,
  source: OTHER_EVENT,
  tax: FOR_PROGRAMS,
  tax_rate: CATALOG,
  terminal: FOR_PROGRAMS,
  test_helpers: FOR_PROGRAMS,
  topup: FOR_PROGRAMS,
  treasury: FOR_PROGRAMS,
};

/** The name of ignored events that begin with this kind of object. */
function nameOf(kind: string): string {
  return `${kind}.*`;
}

export const IGNORED: IgnoredEvents = {
  ...Object.fromEntries(Object.entries(KINDS).map(([kind, reason]) => [nameOf(kind), reason] as const)),
  [UNCHANGED]: 'Stripe names no field that changed.',
};

/** The name of the ignored events that this one is among. */
export function ignoredName(type: string): string | undefined {
  const steps = type.split('.', 4);
  const kinds = [steps.slice(0, 2).join('.'), steps[0] ?? ''].map(nameOf);
  return kinds.find((kind) => Object.hasOwn(IGNORED, kind));
}
