import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: msg('Issues, and deployments of applications.'),
  steps: [
    msg('In New Relic, open Alerts, Destinations, Webhook, and paste the URL.'),
    msg('Open Alerts, Workflows. Add the destination to a workflow, and keep the default template.'),
    msg(
      'To let only this service use the URL, choose bearer token authorization. Add the token to the URL as &webhook_secret=.',
    ),
  ],
  template: '',
  sample: 'issue-activated',
};
