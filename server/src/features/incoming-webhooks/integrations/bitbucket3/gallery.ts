import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: 'Pushes and pull requests of Bitbucket Server and Data Center.',
  steps: [
    'In the repository, open Repository settings, Webhooks, Create webhook.',
    'Paste the URL, choose the events, and save.',
    'If you enter a secret there, add it to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'pr-opened',
};
