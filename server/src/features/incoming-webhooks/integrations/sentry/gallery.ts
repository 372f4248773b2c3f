import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: 'Errors, issues and alerts of applications.',
  steps: [
    'In the organization, open Settings, Developer Settings, Create New Integration, Internal Integration.',
    'Paste the URL as the webhook URL, enable Alert Rule Action, and choose the resources.',
    'Save. Copy the client secret, and add it to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'issue-created',
};
