import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: msg('Pushes, merge requests, issues and pipelines of projects.'),
  steps: [
    msg('In the project or the group, open Settings, Webhooks, Add new webhook.'),
    msg('Paste the URL, choose the triggers, and save.'),
    msg('If you enter a secret token there, add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'push',
};
