import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Customer support',
  summary: msg('Conversations, tickets and contacts.'),
  steps: [
    msg('In the Developer Hub of Intercom, open your app, Webhooks.'),
    msg('Paste the URL as the endpoint URL, choose the topics, and save.'),
    msg('Copy the client secret in Basic Information, and add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'conversation-started',
};
