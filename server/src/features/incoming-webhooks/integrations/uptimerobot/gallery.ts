import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: 'Websites that go down or come back, and certificates that expire.',
  steps: [
    'In Uptime Robot, open Integrations, and add a webhook.',
    'Paste the URL as the URL to notify.',
    'As the POST value, paste the body below, and choose to send it as JSON. The default variables as JSON work, too.',
    'Choose the events, save, and add the integration to your monitors.',
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
