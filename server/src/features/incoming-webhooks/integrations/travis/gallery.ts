import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Continuous integration',
  summary: msg('Starts and results of builds.'),
  steps: [
    msg('Add the lines below to .travis.yml, with the URL in place of URL.'),
    msg('If others can read the repository, encrypt the URL with travis encrypt.'),
  ],
  template: `notifications:
  webhooks:
    urls:
      - "URL"
    on_start: never
`,
  sample: 'failed',
};
