import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Incidents and on-call',
  summary: 'Alerts, and who takes care of them.',
  steps: [
    'In Opsgenie, open Settings, Integrations, Add integration, Webhook.',
    'Paste the URL as the webhook URL, choose the actions, and turn the integration on.',
    'To let only this service use the URL, add &webhook_secret= and a secret to it. Then add as a custom header the header Authorization with the value Bearer and the secret.',
  ],
  template: '',
  sample: 'create',
};
