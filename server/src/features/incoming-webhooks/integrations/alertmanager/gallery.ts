import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: msg('Alerts of Prometheus.'),
  steps: [
    msg('In alertmanager.yml, add a receiver with a webhook_config, and set its url to the URL.'),
    msg('The parameters name and desc of the URL choose the labels that name and describe an alert.'),
    msg('Alertmanager does not sign. Credentials of type Bearer can contain the webhook_secret of the URL.'),
  ],
  template: '',
  sample: 'alerts',
};
