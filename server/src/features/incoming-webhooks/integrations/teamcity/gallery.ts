import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Continuous integration',
  summary: 'Starts and results of builds.',
  steps: [
    'In TeamCity, open the project, Settings, Parameters.',
    'Set teamcity.internal.webhooks.enable to true.',
    'Set teamcity.internal.webhooks.url to the URL.',
    'Set teamcity.internal.webhooks.events to BUILD_STARTED;BUILD_FINISHED;BUILD_INTERRUPTED.',
    'The plugin tcWebHooks works, too: add a webhook with the URL and the format JSON.',
  ],
  template: '',
  sample: 'build-failed',
};
