import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Project management',
  summary: msg('Issues, comments, projects and their updates.'),
  steps: [
    msg('In Linear, open Settings, API, New webhook.'),
    msg('Paste the URL, choose the kinds of data, and create.'),
    msg('Copy the signing secret, and add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'issue-created',
};
