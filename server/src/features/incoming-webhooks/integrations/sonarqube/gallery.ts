import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Continuous integration',
  summary: msg('Quality gates of projects, with the conditions that failed.'),
  steps: [
    msg('In the project or the organization, open Administration, Webhooks, Create.'),
    msg('Paste the URL, and save. SonarQube Server and Cloud are the same.'),
    msg('If you enter a secret there, add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'failed',
};
