import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: msg('Pushes and pull requests of Bitbucket Server and Data Center.'),
  steps: [
    msg('In the repository, open Repository settings, Webhooks, Create webhook.'),
    msg('Paste the URL, choose the events, and save.'),
    msg('If you enter a secret there, add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'pr-opened',
};
