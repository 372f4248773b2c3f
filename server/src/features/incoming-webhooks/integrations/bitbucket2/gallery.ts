import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: msg('Pushes, pull requests and issues of Bitbucket Cloud.'),
  steps: [
    msg('In the repository, open Repository settings, Webhooks, Add webhook.'),
    msg('Paste the URL, choose the triggers, and save.'),
    msg('If you enter a secret there, add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'push',
};
