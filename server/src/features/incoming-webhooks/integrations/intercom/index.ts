import { type Delivery, type Integration, type Outcome, renderedBy } from '../../integration.ts';
import { md } from '../../markdown.ts';
import { hmacIn } from '../../signatures.ts';
import { COMPANY_EVENTS, CONTACT_EVENTS } from './contacts.ts';
import { CONVERSATION_EVENTS } from './conversations.ts';
import { gallery } from './gallery.ts';
import { IGNORED } from './ignored.ts';
import { TICKET_EVENTS } from './tickets.ts';

/** The events, by the `topic` of the payload (https://developers.intercom.com/docs/references/webhooks/webhook-models). */
const EVENTS: ReadonlyMap<string, (delivery: Delivery) => Outcome> = new Map<string, (delivery: Delivery) => Outcome>([
  ...CONVERSATION_EVENTS,
  ...TICKET_EVENTS,
  ...CONTACT_EVENTS,
  ...COMPANY_EVENTS,
  ['ping', () => ({ event: 'ping', topic: 'Intercom', content: md`The webhook of Intercom works.` })],
]);

export const intercom: Integration = {
  name: 'intercom',
  title: 'Intercom',
  gallery,
  events: [...EVENTS.keys()],
  ignored: IGNORED,
  isSigned: hmacIn('x-hub-signature', 'sha1=', 'sha1'),
  render: (delivery) => renderedBy(delivery.payload.need('topic'), EVENTS, IGNORED, delivery),
};
