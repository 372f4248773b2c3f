import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Other programs',
  summary: msg('Any program that can post to Slack.'),
  steps: [msg('Find the setting for the URL of a Slack webhook in the program, and paste the URL.')],
  template: '',
  sample: 'text',
};
