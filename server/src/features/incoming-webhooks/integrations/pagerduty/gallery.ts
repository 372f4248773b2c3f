import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Incidents and on-call',
  summary: msg('Incidents, and who takes care of them.'),
  steps: [
    msg('In PagerDuty, open Integrations, Generic Webhooks (v3), New Webhook.'),
    msg('Paste the URL, choose the events, and add the webhook.'),
    msg('Copy the secret that PagerDuty shows, and add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'triggered',
};
