import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: msg('Pushes, pull requests, work items, builds and releases.'),
  steps: [
    msg('In the project, open Project settings, Service hooks, Create subscription.'),
    msg('Choose Web Hooks and one event. Each event needs a subscription of its own.'),
    msg('Paste the URL, test it, and finish.'),
    msg(
      'To let only this service use the URL, add &webhook_secret= and a secret to it. Then enter in the field HTTP headers the header Authorization with the value Bearer and the secret.',
    ),
  ],
  template: '',
  sample: 'pull-request-created',
};
