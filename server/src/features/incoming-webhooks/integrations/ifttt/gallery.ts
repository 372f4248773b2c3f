import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Other programs',
  summary: msg('Messages of your applets.'),
  steps: [
    msg('In IFTTT, add the action Webhooks, Make a web request, and paste the URL.'),
    msg('Choose the method POST and the content type application/json, and paste the body below.'),
    msg('Write your own topic, and choose the ingredients of the content.'),
  ],
  template: `{ "topic": "News", "content": "<<<{{EntryTitle}}>>>: {{EntryUrl}}" }
`,
  sample: 'message',
};
