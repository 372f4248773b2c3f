import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Business',
  summary: msg('Payments, customers, subscriptions and disputes.'),
  steps: [
    msg('In the dashboard of Stripe, open Developers, Webhooks, Add endpoint.'),
    msg('Paste the URL, choose the events, and save.'),
    msg('Copy the signing secret, and add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'invoice-paid',
};
