import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: 'Pushes, pull requests and issues of Bitbucket Cloud.',
  steps: [
    'In the repository, open Repository settings, Webhooks, Add webhook.',
    'Paste the URL, choose the triggers, and save.',
    'If you enter a secret there, add it to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'push',
};
