import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: 'Alerts of dashboards.',
  steps: [
    'In Grafana, open Alerting, Contact points, Add contact point, Webhook.',
    'Paste the URL, test it, and save.',
    'If you enter an HMAC secret there, add it to the URL as &webhook_secret=.',
    'Set the timestamp header to X-Grafana-Alerting-Signature-Timestamp, so that nobody can repeat old requests.',
  ],
  template: '',
  sample: 'firing',
};
