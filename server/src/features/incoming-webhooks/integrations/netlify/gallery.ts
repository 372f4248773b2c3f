import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Continuous integration',
  summary: msg('Deploys of websites, and submissions of their forms.'),
  steps: [
    msg('In the project, open Project configuration, Notifications, Add notification, HTTP POST request.'),
    msg('Choose an event, and paste the URL as the URL to notify. Each event needs a notification of its own.'),
    msg('If you enter a JWS secret token there, add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'deploy-created',
};
