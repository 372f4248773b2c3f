import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: msg('Pushes, pull requests, issues and reviews of repositories.'),
  steps: [
    msg('In the repository or the organization, open Settings, Webhooks, Add webhook.'),
    msg('Paste the URL as the payload URL, and choose the content type application/json.'),
    msg('Choose the events, and save.'),
    msg('If you enter a secret there, add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'push',
};
