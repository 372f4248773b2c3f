import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: 'Pushes, merge requests, issues and pipelines of projects.',
  steps: [
    'In the project or the group, open Settings, Webhooks, Add new webhook.',
    'Paste the URL, choose the triggers, and save.',
    'If you enter a secret token there, add it to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'push',
};
