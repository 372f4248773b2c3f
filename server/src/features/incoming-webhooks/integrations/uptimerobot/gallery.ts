import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: msg('Websites that go down or come back, and certificates that expire.'),
  steps: [
    msg('In Uptime Robot, open Integrations, and add a webhook.'),
    msg('Paste the URL as the URL to notify.'),
    msg(
      'As the POST value, paste the body below, and choose to send it as JSON. The default variables as JSON work, too.',
    ),
    msg('Choose the events, save, and add the integration to your monitors.'),
  ],
  template: `{
  "monitor_friendly_name": "*monitorFriendlyName*",
  "monitor_url": "*monitorURL*",
  "alert_type": "*alertType*",
  "alert_type_friendly_name": "*alertTypeFriendlyName*",
  "alert_details": "*alertDetails*",
  "alert_friendly_duration": "*alertFriendlyDuration*"
}
`,
  sample: 'down',
};
