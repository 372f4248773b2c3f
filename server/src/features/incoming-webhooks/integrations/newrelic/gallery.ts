import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: 'Issues, and deployments of applications.',
  steps: [
    'In New Relic, open Alerts, Destinations, Webhook, and paste the URL.',
    'Open Alerts, Workflows. Add the destination to a workflow, and keep the default template.',
    'To let only this service use the URL, choose bearer token authorization. Add the token to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'issue-activated',
};
