import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Incidents and on-call',
  summary: msg('Incidents, maintenance and components of status pages.'),
  steps: [
    msg('Open the status page, and choose Subscribe to updates.'),
    msg('Choose the icon of webhooks, enter the URL and your mail address, and subscribe.'),
  ],
  template: '',
  sample: 'incident',
};
