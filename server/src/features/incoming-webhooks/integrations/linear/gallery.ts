import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Project management',
  summary: 'Issues, comments, projects and their updates.',
  steps: [
    'In Linear, open Settings, API, New webhook.',
    'Paste the URL, choose the kinds of data, and create.',
    'Copy the signing secret, and add it to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'issue-created',
};
