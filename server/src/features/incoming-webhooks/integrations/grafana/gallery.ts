import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: msg('Alerts of dashboards.'),
  steps: [
    msg('In Grafana, open Alerting, Contact points, Add contact point, Webhook.'),
    msg('Paste the URL, test it, and save.'),
    msg('If you enter an HMAC secret there, add it to the URL as &webhook_secret=.'),
    msg('Set the timestamp header to X-Grafana-Alerting-Signature-Timestamp, so that nobody can repeat old requests.'),
  ],
  template: '',
  sample: 'firing',
};
