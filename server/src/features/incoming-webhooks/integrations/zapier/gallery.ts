import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Other programs',
  summary: msg('Messages of your Zaps.'),
  steps: [
    msg('In Zapier, add the action Webhooks by Zapier with the event POST, and paste the URL.'),
    msg('Choose the payload type json, and add the data topic and content.'),
    msg(
      'You can also use the Zulip app of Zapier. It asks for the address of this server, and for the address and the API key of the bot.',
    ),
  ],
  template: '',
  sample: 'message',
};
