import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Incidents and on-call',
  summary: msg('Alerts, and who takes care of them.'),
  steps: [
    msg('In Opsgenie, open Settings, Integrations, Add integration, Webhook.'),
    msg('Paste the URL as the webhook URL, choose the actions, and turn the integration on.'),
    msg(
      'To let only this service use the URL, add &webhook_secret= and a secret to it. Then add as a custom header the header Authorization with the value Bearer and the secret.',
    ),
  ],
  template: '',
  sample: 'create',
};
