import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Other programs',
  summary: msg('Messages of automations at home.'),
  steps: [
    msg('Add the lines below to configuration.yaml of Home Assistant, with the URL in place of URL.'),
    msg('Restart Home Assistant.'),
    msg('Call notify.heddle in your automations, with a message and optionally a title.'),
    msg(
      'To let only this service use the URL, add &webhook_secret= and a secret to it. Then add under headers the header Authorization with the value Bearer and the secret.',
    ),
  ],
  template: `notify:
  - name: heddle
    platform: rest
    method: POST_JSON
    resource: "URL"
    title_param_name: title
    # With &webhook_secret=… in the URL:
    # headers:
    #   Authorization: "Bearer …"
`,
  sample: 'notification',
};
