import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Continuous integration',
  summary: msg('Starts and results of builds.'),
  steps: [
    msg('In TeamCity, open the project, Settings, Parameters.'),
    msg('Set teamcity.internal.webhooks.enable to true.'),
    msg('Set teamcity.internal.webhooks.url to the URL.'),
    msg('Set teamcity.internal.webhooks.events to BUILD_STARTED;BUILD_FINISHED;BUILD_INTERRUPTED.'),
    msg('The plugin tcWebHooks works, too: add a webhook with the URL and the format JSON.'),
  ],
  template: '',
  sample: 'build-failed',
};
