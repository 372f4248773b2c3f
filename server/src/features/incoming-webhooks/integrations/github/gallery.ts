import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: 'Pushes, pull requests, issues and reviews of repositories.',
  steps: [
    'In the repository or the organization, open Settings, Webhooks, Add webhook.',
    'Paste the URL as the payload URL, and choose the content type application/json.',
    'Choose the events, and save.',
    'If you enter a secret there, add it to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'push',
};
