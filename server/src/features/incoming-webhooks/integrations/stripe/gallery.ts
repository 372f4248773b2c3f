import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Business',
  summary: 'Payments, customers, subscriptions and disputes.',
  steps: [
    'In the dashboard of Stripe, open Developers, Webhooks, Add endpoint.',
    'Paste the URL, choose the events, and save.',
    'Copy the signing secret, and add it to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'invoice-paid',
};
