import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: msg('Pushes, pull requests, issues and releases of Gitea, Forgejo and Gogs.'),
  steps: [
    msg('In the repository, open Settings, Webhooks, Add webhook, Gitea.'),
    msg('Paste the URL as the target URL, and choose the content type application/json.'),
    msg('Choose the events, and save.'),
    msg('If you enter a secret there, add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'push',
};
