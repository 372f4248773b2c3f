import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Other programs',
  summary: 'Any program that can post to Slack.',
  steps: ['Find the setting for the URL of a Slack webhook in the program, and paste the URL.'],
  template: '',
  sample: 'text',
};
