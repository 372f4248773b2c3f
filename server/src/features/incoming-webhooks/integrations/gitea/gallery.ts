import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Version control',
  summary: 'Pushes, pull requests, issues and releases of Gitea and Forgejo.',
  steps: [
    'In the repository, open Settings, Webhooks, Add webhook, Gitea.',
    'Paste the URL as the target URL, and choose the content type application/json.',
    'Choose the events, and save.',
    'If you enter a secret there, add it to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'push',
};
