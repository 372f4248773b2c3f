import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Other programs',
  summary: msg('Any program that can send JSON. The message shows all that it sent.'),
  steps: [msg('Find the setting for the URL of a webhook in the program, and paste the URL.')],
  template: '',
  sample: 'any',
};
