import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: msg('Errors, issues and alerts of applications.'),
  steps: [
    msg('In the organization, open Settings, Developer Settings, Create New Integration, Internal Integration.'),
    msg('Paste the URL as the webhook URL, enable Alert Rule Action, and choose the resources.'),
    msg('Save. Copy the client secret, and add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'issue-created',
};
